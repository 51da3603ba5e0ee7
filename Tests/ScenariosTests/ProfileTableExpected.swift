/// Expected texts of `ProfileTableTests`.
enum ProfileTableExpected {
    static let contradictionsAreNotedText = #"""
        lte short-drx-on-time: 106ms: read
        lte short-drx-on-time: 107ms: E0215 1:948+17 `short-drx-on-time` is longer than the cycle | change one of the two
            E0108 1:948+17 `short-drx-on-time` is longer than its cycle | at most 106ms
        lte long-drx-on-time: 108ms: read
        lte long-drx-on-time: 109ms: E0215 1:949+16 `long-drx-on-time` is longer than the cycle | change one of the two
            E0108 1:949+16 `long-drx-on-time` is longer than its cycle | at most 108ms
        lte tail-time: 1s, tail-power: 1mW: E0104 1:253+16 unknown setting `inactivity-power` | not known here | help: profile mine takes version, about, inherits, technology, sources, promotion-time, promotion-power, signalling-time, active-power-down, active-power-up, cost-up, cost-down, inactivity-time, short-drx-time, short-drx-cycle, short-drx-on-time, long-drx-cycle, long-drx-on-time, tail-time, long-drx-time, tail-power, fast-dormancy, paging-cycle, idle-power, paging-on-power, paging-on-time, sleep-power, psm-update-interval, edrx-cycle, psm-active-time, psm-update-time, psm-power, edrx-window, psm-buffer, handover-time, handover-failure, re-establishment-time, handover-power, search-power, unassociated-power, search-time, search-rest, search-longest-rest, weak-signal-rate-down, weak-signal-rate-up, weak-signal-power-down, weak-signal-power-up, weak-signal-cost-down, weak-signal-cost-up, base-round-trip
            E0104 1:278+18 unknown setting `short-drx-on-power` | not known here | help: profile mine takes version, about, inherits, technology, sources, promotion-time, promotion-power, signalling-time, active-power-down, active-power-up, cost-up, cost-down, inactivity-time, short-drx-time, short-drx-cycle, short-drx-on-time, long-drx-cycle, long-drx-on-time, tail-time, long-drx-time, tail-power, fast-dormancy, paging-cycle, idle-power, paging-on-power, paging-on-time, sleep-power, psm-update-interval, edrx-cycle, psm-active-time, psm-update-time, psm-power, edrx-window, psm-buffer, handover-time, handover-failure, re-establishment-time, handover-power, search-power, unassociated-power, search-time, search-rest, search-longest-rest, weak-signal-rate-down, weak-signal-rate-up, weak-signal-power-down, weak-signal-power-up, weak-signal-cost-down, weak-signal-cost-up, base-round-trip
            E0104 1:305+19 unknown setting `short-drx-off-power` | not known here | help: profile mine takes version, about, inherits, technology, sources, promotion-time, promotion-power, signalling-time, active-power-down, active-power-up, cost-up, cost-down, inactivity-time, short-drx-time, short-drx-cycle, short-drx-on-time, long-drx-cycle, long-drx-on-time, tail-time, long-drx-time, tail-power, fast-dormancy, paging-cycle, idle-power, paging-on-power, paging-on-time, sleep-power, psm-update-interval, edrx-cycle, psm-active-time, psm-update-time, psm-power, edrx-window, psm-buffer, handover-time, handover-failure, re-establishment-time, handover-power, search-power, unassociated-power, search-time, search-rest, search-longest-rest, weak-signal-rate-down, weak-signal-rate-up, weak-signal-power-down, weak-signal-power-up, weak-signal-cost-down, weak-signal-cost-up, base-round-trip
            E0104 1:332+17 unknown setting `long-drx-on-power` | not known here | help: profile mine takes version, about, inherits, technology, sources, promotion-time, promotion-power, signalling-time, active-power-down, active-power-up, cost-up, cost-down, inactivity-time, short-drx-time, short-drx-cycle, short-drx-on-time, long-drx-cycle, long-drx-on-time, tail-time, long-drx-time, tail-power, fast-dormancy, paging-cycle, idle-power, paging-on-power, paging-on-time, sleep-power, psm-update-interval, edrx-cycle, psm-active-time, psm-update-time, psm-power, edrx-window, psm-buffer, handover-time, handover-failure, re-establishment-time, handover-power, search-power, unassociated-power, search-time, search-rest, search-longest-rest, weak-signal-rate-down, weak-signal-rate-up, weak-signal-power-down, weak-signal-power-up, weak-signal-cost-down, weak-signal-cost-up, base-round-trip
            E0104 1:358+18 unknown setting `long-drx-off-power` | not known here | help: profile mine takes version, about, inherits, technology, sources, promotion-time, promotion-power, signalling-time, active-power-down, active-power-up, cost-up, cost-down, inactivity-time, short-drx-time, short-drx-cycle, short-drx-on-time, long-drx-cycle, long-drx-on-time, tail-time, long-drx-time, tail-power, fast-dormancy, paging-cycle, idle-power, paging-on-power, paging-on-time, sleep-power, psm-update-interval, edrx-cycle, psm-active-time, psm-update-time, psm-power, edrx-window, psm-buffer, handover-time, handover-failure, re-establishment-time, handover-power, search-power, unassociated-power, search-time, search-rest, search-longest-rest, weak-signal-rate-down, weak-signal-rate-up, weak-signal-power-down, weak-signal-power-up, weak-signal-cost-down, weak-signal-cost-up, base-round-trip
            E0215 1:972+9 `tail-time` beside `long-drx-time`: one of them is enough | change one of the two
        lte paging-on-time: 116ms: read
        lte paging-on-time: 117ms: E0108 1:950+14 `paging-on-time` is longer than its cycle | at most 116ms
        lte idle-power: 5mW: read
        lte nr-promotion-time: 1s: read
        nr-nsa nr-promotion-time: 101ms: read
        nr-nsa nr-promotion-time: 100ms: E0215 1:941+17 `nr-promotion-time` ends before `promotion-time` | change one of the two
        nr-nsa second-tail-until: 319ms: read
        nr-nsa second-tail-until: 318ms: E0215 1:941+17 `second-tail-until` ends before the first tail | change one of the two
        wifi broadcast-time: 109ms: read
        wifi broadcast-time: 110ms: E0215 1:589+14 `broadcast-time` is longer than `broadcast-interval` | change one of the two
        wifi promotion-time: 0s: read
        wifi beacon-on-time: 106ms: E0108 1:590+14 `beacon-on-time` is longer than its cycle | at most 105ms
        umts idle-power: 5mW: read
        lte handover-time: 1s: read
        lte handover-time: 1s: E0101 1:1+1 `re-establishment-time` is missing | profile mine needs `re-establishment-time` | help: write a number with a unit, or {value: …, source: …, trust: A, note: …}
        nr-sa inactive-time: 0s: read
        lte psm-active-time: 399s: read
        lte psm-active-time: 400s: E0215 1:374+15 `psm-active-time` is not shorter than `psm-update-interval` | change one of the two
        lte edrx-window: 401s: E0108 1:391+4 `401s` is out of range | must be from 1ms to 40960ms
        lte edrx-cycle: 19s: E0215 1:255+11 `edrx-window` is longer than `edrx-cycle` | change one of the two
        lte psm-update-interval: 0s: read
        lte edrx-cycle: 0s: read
        lte psm-update-interval: 0s, edrx-cycle: 0s: read
        lte idle-power: 22mW: E0101 1:1+1 `psm-power` is missing | profile mine needs `psm-power` | help: write a number with a unit, or {value: …, source: …, trust: A, note: …}
        lte promotion-time: {value: 5ms, source: x}: E0103 1:971+1 a value is missing | expected a duration such as 45s | help: remove the key to have the default
            E0110 1:973+1 unknown source `x` | not known here | help: none are known
        lte promotion-time: {source: x}: E0004 2:1+1 this is not YAML: did not find expected ',' or '}' | while parsing a flow mapping that began at line 1, column 1 | help: a comma is missing, or a `}`
        lte promotion-time: {value: 5ms, trust: A, note: n}: E0103 1:971+1 a value is missing | expected a duration such as 45s | help: remove the key to have the default
        lte promotion-time: {value: 5ms, trust: Z}: E0103 1:971+1 a value is missing | expected a duration such as 45s | help: remove the key to have the default
            E0110 1:980+1 unknown word `Z` | did you mean `R`? | help: expected R, C, X, S, D, K, A or U
        """#

    static let aProfileDescribesItselfText = #"""
        version: a number, default 1; version of the file format
        about: text, default ""; description of the profile
        inherits: text; profile that supplies the missing values
        technology: lte|nr-nsa|nr-sa|umts|wifi|bluetooth|wired, required; radio technology
        lte: ; LTE
        lte.sources: ; citations that the numbers refer to
        lte.promotion-time: like 45s or a map; time from idle to the first bit
        lte.promotion-power: like 350mW or a map; power during the promotion
        lte.signalling-time: like 45s or a distribution or a map; time from the first bit to the last signalling, where the tail starts; on 5G over LTE until the addition of the NR leg starts, if the connection lasts that long
        lte.active-power-down: like 350mW or a map; base power while receiving
        lte.active-power-up: like 350mW or a map; base power while sending
        lte.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        lte.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        lte.inactivity-time: like 45s or a map; silence after the last bit until DRX begins
        lte.short-drx-time: like 45s or a map; duration of short DRX
        lte.short-drx-cycle: like 45s or a map; short DRX cycle
        lte.short-drx-on-time: like 45s or a map; time that the phone listens in each short cycle
        lte.long-drx-cycle: like 45s or a map; long DRX cycle; default: the phone always listens
        lte.long-drx-on-time: like 45s or a map; time that the phone listens in each long cycle
        lte.tail-time: like 45s or a map; time from the last bit to idle, all of it at `tail-power`
        lte.long-drx-time: like 45s or a map; duration of long DRX, at its own powers
        lte.tail-power: like 350mW or a map; mean power of the tail
        lte.inactivity-power: like 350mW or a map; power from the last bit to DRX; default: the base power of the direction that was used last
        lte.long-drx-time: like 45s or a map; duration of long DRX; `tail-time` can replace it
        lte.short-drx-on-power: like 350mW or a map; power while listening in short DRX
        lte.short-drx-on-time: like 45s or a map; time that it listens in each cycle in short DRX
        lte.short-drx-off-power: like 350mW or a map; power in the rest of each cycle in short DRX
        lte.long-drx-power: like 350mW or a map; mean power in long DRX
        lte.long-drx-on-power: like 350mW or a map; power while listening in long DRX
        lte.long-drx-on-time: like 45s or a map; time that it listens in each cycle in long DRX
        lte.long-drx-off-power: like 350mW or a map; power in the rest of each cycle in long DRX
        lte.fast-dormancy: like 45s or a map; silence after which the phone releases the connection
        lte.paging-cycle: like 45s or a map; paging cycle: an idle phone can be paged once per cycle
        lte.idle-power: like 350mW or a map; mean power while idle
        lte.paging-on-power: like 350mW or a map; power while listening while idle
        lte.paging-on-time: like 45s or a map; time that it listens in each cycle while idle
        lte.sleep-power: like 350mW or a map; power in the rest of each cycle while idle
        lte.psm-update-interval: like 45s or a map; PSM: time from the release of the connection to the periodic update (TAU, T3412); 0s for no PSM
        lte.edrx-cycle: like 45s or a map; eDRX: cycle in which an idle device listens once; 0s for none
        lte.psm-active-time: like 45s or a map; PSM: time that the device listens before it sleeps (T3324)
        lte.psm-update-time: like 45s or a map; PSM: length of a periodic update, at the power of the promotion
        lte.psm-power: like 350mW or a map; power of a device that sleeps, or does not listen for an eDRX cycle
        lte.edrx-window: like 45s or a map; eDRX: time that the device listens in each cycle (PTW)
        lte.psm-buffer: a number or a map; number of packets that the network holds for a device that does not listen
        lte.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        lte.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        lte.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        lte.handover-failure: like 2% or a map; probability that the new cell is not found
        lte.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        lte.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        lte.search-power: like 350mW or a map; power during a scan for a network
        lte.unassociated-power: like 350mW or a map; power without a network, between scans
        lte.search-time: like 45s or a map; duration of a scan
        lte.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        lte.search-longest-rest: like 45s or a map; longest pause
        lte.weak-signal-rate-down: like 20Mbps or a map; maximum rate to the phone in a weak signal (`signal: weak`)
        lte.weak-signal-rate-up: like 20Mbps or a map; maximum rate from the phone in a weak signal
        lte.weak-signal-power-down: like 350mW or a map; base power while receiving in a weak signal (`signal: weak`)
        lte.weak-signal-power-up: like 350mW or a map; base power while sending in a weak signal (`signal: weak`)
        lte.weak-signal-cost-down: like 14.55mW/Mbps or a map; energy per bit received in a weak signal (`signal: weak`)
        lte.weak-signal-cost-up: like 14.55mW/Mbps or a map; energy per bit sent in a weak signal (`signal: weak`)
        lte.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        nr-nsa: ; 5G with an LTE leg
        nr-nsa.sources: ; citations that the numbers refer to
        nr-nsa.promotion-time: like 45s or a map; time from idle to the first bit
        nr-nsa.promotion-power: like 350mW or a map; power during the promotion
        nr-nsa.nr-promotion-time: like 45s or a map; time from idle until the NR leg is up; until then data flows on the LTE leg
        nr-nsa.nr-promotion-power: like 350mW or a map; power between the LTE leg and the NR leg
        nr-nsa.signalling-time: like 45s or a distribution or a map; time from the first bit to the last signalling, where the tail starts; on 5G over LTE until the addition of the NR leg starts, if the connection lasts that long
        nr-nsa.active-power-down: like 350mW or a map; base power while receiving
        nr-nsa.active-power-up: like 350mW or a map; base power while sending
        nr-nsa.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        nr-nsa.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        nr-nsa.inactivity-time: like 45s or a map; silence after the last bit until DRX begins
        nr-nsa.short-drx-time: like 45s or a map; duration of short DRX
        nr-nsa.short-drx-cycle: like 45s or a map; short DRX cycle
        nr-nsa.short-drx-on-time: like 45s or a map; time that the phone listens in each short cycle
        nr-nsa.long-drx-cycle: like 45s or a map; long DRX cycle; default: the phone always listens
        nr-nsa.long-drx-on-time: like 45s or a map; time that the phone listens in each long cycle
        nr-nsa.tail-time: like 45s or a map; time from the last bit to idle, all of it at `tail-power`
        nr-nsa.long-drx-time: like 45s or a map; duration of long DRX, at its own powers
        nr-nsa.tail-power: like 350mW or a map; mean power of the tail
        nr-nsa.inactivity-power: like 350mW or a map; power from the last bit to DRX; default: the base power of the direction that was used last
        nr-nsa.long-drx-time: like 45s or a map; duration of long DRX; `tail-time` can replace it
        nr-nsa.short-drx-on-power: like 350mW or a map; power while listening in short DRX
        nr-nsa.short-drx-on-time: like 45s or a map; time that it listens in each cycle in short DRX
        nr-nsa.short-drx-off-power: like 350mW or a map; power in the rest of each cycle in short DRX
        nr-nsa.long-drx-power: like 350mW or a map; mean power in long DRX
        nr-nsa.long-drx-on-power: like 350mW or a map; power while listening in long DRX
        nr-nsa.long-drx-on-time: like 45s or a map; time that it listens in each cycle in long DRX
        nr-nsa.long-drx-off-power: like 350mW or a map; power in the rest of each cycle in long DRX
        nr-nsa.second-tail-until: like 45s or a map; time from the last bit to idle, on the LTE leg alone
        nr-nsa.second-tail-power: like 350mW or a map; power of the second tail
        nr-nsa.fast-dormancy: like 45s or a map; silence after which the phone releases the connection
        nr-nsa.paging-cycle: like 45s or a map; paging cycle: an idle phone can be paged once per cycle
        nr-nsa.idle-power: like 350mW or a map; mean power while idle
        nr-nsa.paging-on-power: like 350mW or a map; power while listening while idle
        nr-nsa.paging-on-time: like 45s or a map; time that it listens in each cycle while idle
        nr-nsa.sleep-power: like 350mW or a map; power in the rest of each cycle while idle
        nr-nsa.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        nr-nsa.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        nr-nsa.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        nr-nsa.handover-failure: like 2% or a map; probability that the new cell is not found
        nr-nsa.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        nr-nsa.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        nr-nsa.search-power: like 350mW or a map; power during a scan for a network
        nr-nsa.unassociated-power: like 350mW or a map; power without a network, between scans
        nr-nsa.search-time: like 45s or a map; duration of a scan
        nr-nsa.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        nr-nsa.search-longest-rest: like 45s or a map; longest pause
        nr-nsa.weak-signal-rate-down: like 20Mbps or a map; maximum rate to the phone in a weak signal (`signal: weak`)
        nr-nsa.weak-signal-rate-up: like 20Mbps or a map; maximum rate from the phone in a weak signal
        nr-nsa.weak-signal-power-down: like 350mW or a map; base power while receiving in a weak signal (`signal: weak`)
        nr-nsa.weak-signal-power-up: like 350mW or a map; base power while sending in a weak signal (`signal: weak`)
        nr-nsa.weak-signal-cost-down: like 14.55mW/Mbps or a map; energy per bit received in a weak signal (`signal: weak`)
        nr-nsa.weak-signal-cost-up: like 14.55mW/Mbps or a map; energy per bit sent in a weak signal (`signal: weak`)
        nr-nsa.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        nr-sa: ; stand-alone 5G
        nr-sa.sources: ; citations that the numbers refer to
        nr-sa.promotion-time: like 45s or a map; time from idle to the first bit
        nr-sa.promotion-power: like 350mW or a map; power during the promotion
        nr-sa.signalling-time: like 45s or a distribution or a map; time from the first bit to the last signalling, where the tail starts; on 5G over LTE until the addition of the NR leg starts, if the connection lasts that long
        nr-sa.active-power-down: like 350mW or a map; base power while receiving
        nr-sa.active-power-up: like 350mW or a map; base power while sending
        nr-sa.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        nr-sa.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        nr-sa.inactivity-time: like 45s or a map; silence after the last bit until DRX begins
        nr-sa.short-drx-time: like 45s or a map; duration of short DRX
        nr-sa.short-drx-cycle: like 45s or a map; short DRX cycle
        nr-sa.short-drx-on-time: like 45s or a map; time that the phone listens in each short cycle
        nr-sa.long-drx-cycle: like 45s or a map; long DRX cycle; default: the phone always listens
        nr-sa.long-drx-on-time: like 45s or a map; time that the phone listens in each long cycle
        nr-sa.tail-time: like 45s or a map; time from the last bit to idle, all of it at `tail-power`
        nr-sa.long-drx-time: like 45s or a map; duration of long DRX, at its own powers
        nr-sa.tail-power: like 350mW or a map; mean power of the tail
        nr-sa.inactivity-power: like 350mW or a map; power from the last bit to DRX; default: the base power of the direction that was used last
        nr-sa.long-drx-time: like 45s or a map; duration of long DRX; `tail-time` can replace it
        nr-sa.short-drx-on-power: like 350mW or a map; power while listening in short DRX
        nr-sa.short-drx-on-time: like 45s or a map; time that it listens in each cycle in short DRX
        nr-sa.short-drx-off-power: like 350mW or a map; power in the rest of each cycle in short DRX
        nr-sa.long-drx-power: like 350mW or a map; mean power in long DRX
        nr-sa.long-drx-on-power: like 350mW or a map; power while listening in long DRX
        nr-sa.long-drx-on-time: like 45s or a map; time that it listens in each cycle in long DRX
        nr-sa.long-drx-off-power: like 350mW or a map; power in the rest of each cycle in long DRX
        nr-sa.fast-dormancy: like 45s or a map; silence after which the phone releases the connection
        nr-sa.inactive-time: like 45s or a map; time in RRC_INACTIVE after the tail
        nr-sa.inactive-power: like 350mW or a map; mean power in RRC_INACTIVE
        nr-sa.inactive-resume-time: like 45s or a map; time from RRC_INACTIVE to the first bit
        nr-sa.paging-cycle: like 45s or a map; paging cycle: an idle phone can be paged once per cycle
        nr-sa.idle-power: like 350mW or a map; mean power while idle
        nr-sa.paging-on-power: like 350mW or a map; power while listening while idle
        nr-sa.paging-on-time: like 45s or a map; time that it listens in each cycle while idle
        nr-sa.sleep-power: like 350mW or a map; power in the rest of each cycle while idle
        nr-sa.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        nr-sa.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        nr-sa.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        nr-sa.handover-failure: like 2% or a map; probability that the new cell is not found
        nr-sa.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        nr-sa.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        nr-sa.search-power: like 350mW or a map; power during a scan for a network
        nr-sa.unassociated-power: like 350mW or a map; power without a network, between scans
        nr-sa.search-time: like 45s or a map; duration of a scan
        nr-sa.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        nr-sa.search-longest-rest: like 45s or a map; longest pause
        nr-sa.weak-signal-rate-down: like 20Mbps or a map; maximum rate to the phone in a weak signal (`signal: weak`)
        nr-sa.weak-signal-rate-up: like 20Mbps or a map; maximum rate from the phone in a weak signal
        nr-sa.weak-signal-power-down: like 350mW or a map; base power while receiving in a weak signal (`signal: weak`)
        nr-sa.weak-signal-power-up: like 350mW or a map; base power while sending in a weak signal (`signal: weak`)
        nr-sa.weak-signal-cost-down: like 14.55mW/Mbps or a map; energy per bit received in a weak signal (`signal: weak`)
        nr-sa.weak-signal-cost-up: like 14.55mW/Mbps or a map; energy per bit sent in a weak signal (`signal: weak`)
        nr-sa.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        umts: ; 3G
        umts.sources: ; citations that the numbers refer to
        umts.idle-to-dch-power: like 350mW or a map; power during the change from idle to the dedicated channel
        umts.fach-to-dch-power: like 350mW or a map; power during the change from the common to the dedicated channel
        umts.dch-power: like 350mW or a map; power on the dedicated channel
        umts.fach-power: like 350mW or a map; power on the common channel
        umts.active-power-down: like 350mW or a map; base power while receiving
        umts.active-power-up: like 350mW or a map; base power while sending
        umts.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        umts.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        umts.idle-to-fach-time: like 45s or a map; time from idle to the common channel; default: the network always assigns a dedicated one
        umts.idle-to-fach-power: like 350mW or a map; power during the change from idle to the common channel
        umts.idle-to-dch-time: like 45s or a map; time from idle to the dedicated channel
        umts.fach-to-dch-time: like 45s or a map; time from the common to the dedicated channel
        umts.dch-time: like 45s or a map; silence that ends the dedicated channel
        umts.fach-time: like 45s or a map; silence that ends the common channel
        umts.dch-to-fach-time: like 45s or a map; time to leave the dedicated channel
        umts.fach-to-idle-time: like 45s or a map; time to leave the common channel
        umts.up-idle-limit: like 64KiB or a map; in idle, more bytes than this require the dedicated channel
        umts.up-fach-limit: like 64KiB or a map; on the common channel, more bytes than this require the dedicated one
        umts.up-drain-time: like 45s or a map; minimum time to empty the buffer
        umts.up-drain-per-byte: like 45s or a map; additional time for each byte in the buffer
        umts.up-drain-per-square-byte: like 45s or a map; additional time for the square of the bytes in the buffer
        umts.down-idle-limit: like 64KiB or a map; in idle, more bytes than this require the dedicated channel
        umts.down-fach-limit: like 64KiB or a map; on the common channel, more bytes than this require the dedicated one
        umts.down-drain-time: like 45s or a map; minimum time to empty the buffer
        umts.down-drain-per-byte: like 45s or a map; additional time for each byte in the buffer
        umts.down-drain-per-square-byte: like 45s or a map; additional time for the square of the bytes in the buffer
        umts.dch-reset-size: like 64KiB or a map; size of a packet train that restarts the DCH timer
        umts.dch-reset-window: like 45s or a map; longest gap between packets of a train
        umts.paging-cycle: like 45s or a map; paging cycle: an idle phone can be paged once per cycle
        umts.idle-power: like 350mW or a map; mean power while idle
        umts.paging-on-power: like 350mW or a map; power while listening while idle
        umts.paging-on-time: like 45s or a map; time that it listens in each cycle while idle
        umts.sleep-power: like 350mW or a map; power in the rest of each cycle while idle
        umts.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        umts.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        umts.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        umts.handover-failure: like 2% or a map; probability that the new cell is not found
        umts.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        umts.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        umts.search-power: like 350mW or a map; power during a scan for a network
        umts.unassociated-power: like 350mW or a map; power without a network, between scans
        umts.search-time: like 45s or a map; duration of a scan
        umts.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        umts.search-longest-rest: like 45s or a map; longest pause
        umts.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        wifi: ; Wi-Fi with power save
        wifi.sources: ; citations that the numbers refer to
        wifi.promotion-time: like 45s or a map; time from doze to the first bit
        wifi.promotion-power: like 350mW or a map; power during the promotion
        wifi.active-power-down: like 350mW or a map; base power while receiving
        wifi.active-power-up: like 350mW or a map; base power while sending
        wifi.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        wifi.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        wifi.high-size: like 64KiB or a map; more bytes than this within `high-window` use the high power
        wifi.high-power: like 350mW or a map; power in windows with more bytes
        wifi.high-window: like 45s or a map; length of the window
        wifi.tail-time: like 45s or a map; time from the last bit to doze
        wifi.tail-power: like 350mW or a map; power during the tail
        wifi.beacon-cycle: like 45s or a map; beacon cycle: a dozing phone listens to one beacon per cycle
        wifi.idle-power: like 350mW or a map; mean power in doze
        wifi.beacon-on-power: like 350mW or a map; power while listening in doze
        wifi.beacon-on-time: like 45s or a map; time that it listens in each cycle in doze
        wifi.sleep-power: like 350mW or a map; power in the rest of each cycle in doze
        wifi.broadcast-interval: like 45s or a map; mean time between two broadcasts; default: no broadcasts
        wifi.broadcast-time: like 45s or a map; time that each broadcast keeps a dozing phone awake
        wifi.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        wifi.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        wifi.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        wifi.handover-failure: like 2% or a map; probability that the new cell is not found
        wifi.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        wifi.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        wifi.search-power: like 350mW or a map; power during a scan for a network
        wifi.unassociated-power: like 350mW or a map; power without a network, between scans
        wifi.search-time: like 45s or a map; duration of a scan
        wifi.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        wifi.search-longest-rest: like 45s or a map; longest pause
        wifi.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        bluetooth: ; Bluetooth to a device that lends its network
        bluetooth.sources: ; citations that the numbers refer to
        bluetooth.promotion-time: like 45s or a map; time from doze to the first bit
        bluetooth.promotion-power: like 350mW or a map; power during the promotion
        bluetooth.active-power-down: like 350mW or a map; base power while receiving
        bluetooth.active-power-up: like 350mW or a map; base power while sending
        bluetooth.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        bluetooth.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        bluetooth.high-size: like 64KiB or a map; more bytes than this within `high-window` use the high power
        bluetooth.high-power: like 350mW or a map; power in windows with more bytes
        bluetooth.high-window: like 45s or a map; length of the window
        bluetooth.tail-time: like 45s or a map; time from the last bit to doze
        bluetooth.tail-power: like 350mW or a map; power during the tail
        bluetooth.beacon-cycle: like 45s or a map; beacon cycle: a dozing phone listens to one beacon per cycle
        bluetooth.idle-power: like 350mW or a map; mean power in doze
        bluetooth.beacon-on-power: like 350mW or a map; power while listening in doze
        bluetooth.beacon-on-time: like 45s or a map; time that it listens in each cycle in doze
        bluetooth.sleep-power: like 350mW or a map; power in the rest of each cycle in doze
        bluetooth.broadcast-interval: like 45s or a map; mean time between two broadcasts; default: no broadcasts
        bluetooth.broadcast-time: like 45s or a map; time that each broadcast keeps a dozing phone awake
        bluetooth.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        bluetooth.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        bluetooth.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        bluetooth.handover-failure: like 2% or a map; probability that the new cell is not found
        bluetooth.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        bluetooth.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        bluetooth.search-power: like 350mW or a map; power during a scan for a network
        bluetooth.unassociated-power: like 350mW or a map; power without a network, between scans
        bluetooth.search-time: like 45s or a map; duration of a scan
        bluetooth.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        bluetooth.search-longest-rest: like 45s or a map; longest pause
        bluetooth.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        wired: ; a cable: a network socket, a dock, or USB
        wired.sources: ; citations that the numbers refer to
        wired.promotion-time: like 45s or a map; time from doze to the first bit
        wired.promotion-power: like 350mW or a map; power during the promotion
        wired.active-power-down: like 350mW or a map; base power while receiving
        wired.active-power-up: like 350mW or a map; base power while sending
        wired.cost-up: like 14.55mW/Mbps or a map; energy per bit sent, in addition to the base power
        wired.cost-down: like 14.55mW/Mbps or a map; energy per bit received, in addition to the base power
        wired.high-size: like 64KiB or a map; more bytes than this within `high-window` use the high power
        wired.high-power: like 350mW or a map; power in windows with more bytes
        wired.high-window: like 45s or a map; length of the window
        wired.tail-time: like 45s or a map; time from the last bit to doze
        wired.tail-power: like 350mW or a map; power during the tail
        wired.beacon-cycle: like 45s or a map; beacon cycle: a dozing phone listens to one beacon per cycle
        wired.idle-power: like 350mW or a map; mean power in doze
        wired.beacon-on-power: like 350mW or a map; power while listening in doze
        wired.beacon-on-time: like 45s or a map; time that it listens in each cycle in doze
        wired.sleep-power: like 350mW or a map; power in the rest of each cycle in doze
        wired.broadcast-interval: like 45s or a map; mean time between two broadcasts; default: no broadcasts
        wired.broadcast-time: like 45s or a map; time that each broadcast keeps a dozing phone awake
        wired.handover-time: like 45s or a distribution or a map; interruption of data by a change of cell or access point
        wired.nr-addition-time: like 45s or a distribution or a map; interruption by adding an NR leg; default: that of a change of cell
        wired.nr-release-time: like 45s or a distribution or a map; interruption by removing an NR leg; default: that of a change of cell
        wired.handover-failure: like 2% or a map; probability that the new cell is not found
        wired.re-establishment-time: like 45s or a distribution or a map; additional time then until the connection is re-established
        wired.handover-power: like 350mW or a map; power during a handover; default: the larger power of sending and receiving
        wired.search-power: like 350mW or a map; power during a scan for a network
        wired.unassociated-power: like 350mW or a map; power without a network, between scans
        wired.search-time: like 45s or a map; duration of a scan
        wired.search-rest: like 45s or a map; pause between the first and second scan; each further pause is twice as long
        wired.search-longest-rest: like 45s or a map; longest pause
        wired.base-round-trip: like 45s or a map; measured round trip to a near server while connected
        """#
}
