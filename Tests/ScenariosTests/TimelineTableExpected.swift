/// Expected texts of `TimelineTableTests`.
enum TimelineTableExpected {
    static let networksAreJoinedAndLeftText = #"""
        {at: 1m, cellular: on}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, wifi: home}
            E0215 1:187+1 wifi is up already at 1m | help: leave it before it is joined again, with `wifi: off` or a `handoff`
        {at: 1m, wifi: off}, {at: 2m, wifi: home}, {at: 3m, wifi: home}
            E0215 1:230+1 wifi is up already at 3m | help: leave it before it is joined again, with `wifi: off` or a `handoff`
        {at: 0s, wifi: off}
            0 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 0s, wifi: off}, {at: 1m, wifi: home}
            0 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 0s, cellular: off}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, cellular: off}
            E0215 1:187+1 cellular is not up | help: They exclude each other: change or remove one.
        {at: 0s, cellular: on}
            0 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 0s, wifi: off, cellular: on}
            0 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, handoff: cellular}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, handoff: wifi}
            E0215 1:187+1 the phone is on wifi already | help: name the network that the phone moves to
        {at: 1m, handoff: wifi, name: other}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error), 60000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, handoff: wifi, name: other, overlap: 1s}
            E0215 1:187+1 one radio is on one network at a time, so there is no overlap | help: They exclude each other: change or remove one.
        {at: 1m, handoff: cellular, overlap: 2s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 fading(wifi), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 62000 pathDown(wifi, error)
        {at: 1m, handoff: cellular, gap: 2s, old-path: silent}, {at: 62s, handoff: wifi}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, silent), 62000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 62000 pathDown(cellular, error), 62000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, handoff: cellular, gap: 2s}, {at: 61999ms, handoff: wifi}
            E0215 1:225+1 the previous change of network has not ended yet | help: it may last until 1m2s; begin later, or make it shorter
        {at: 1m, handoff: cellular, gap: {uniform: [1s, 3s]}}, {at: 62s, handoff: wifi}
            E0215 1:242+1 the previous change of network has not ended yet | help: it may last until 1m3s; begin later, or make it shorter
        {at: 1m, cellular: on}, {at: 2m, handoff: cellular}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 120000 pathDown(wifi, error)
        {at: 1m, cellular: on}, {at: 2m, handoff: cellular, gap: 1s}
            E0215 1:211+1 cellular is up already, so there is nothing to join | help: `wifi:` joins beside cellular; a `handoff: wifi` there leaves cellular, which must then be joined again here; or remove `gap` and the other keys of a join
        {at: 1m, cellular: on}, {at: 2m, handoff: cellular, usable-after: 1s}
            E0215 1:211+1 cellular is up already, so there is nothing to join | help: `wifi:` joins beside cellular; a `handoff: wifi` there leaves cellular, which must then be joined again here; or remove `gap` and the other keys of a join
        {at: 1m, cellular: on}, {at: 2m, handoff: cellular, overlap: 1s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 120000 fading(wifi), 121000 pathDown(wifi, error)
        {at: 59m, handoff: cellular, gap: 59999ms}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 3540000 pathDown(wifi, error), 3599999 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 59m, handoff: cellular, gap: 1m}
            E0214 1:187+1 the new network would be there at 1h, when the scenario is over | help: A change at or after `duration` never takes effect, so the scenario would not test it.
        {at: 59m, cellular: on, usable-after: 1m}
            E0214 1:187+1 the new network would be there at 1h, when the scenario is over | help: A change at or after `duration` never takes effect, so the scenario would not test it.
        {at: 59m, cellular: on, usable-after: 59s, announced-after: 1m}
            E0214 1:187+1 the new network would be there at 1h, when the scenario is over | help: A change at or after `duration` never takes effect, so the scenario would not test it.
        {at: 59m, cellular: on, usable-after: 59s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 3540000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 59000000000), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, airplane: 10s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error), 70000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, cellular: on}, {at: 2m, airplane: 10s, old-path: error}, {at: 130s, readdress: wifi}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 120000 pathDown(wifi, error), 120000 pathDown(cellular, error), 130000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 130000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 130000 readdress(wifi, error)
        {at: 2m, airplane: 10s}, {at: 129s, readdress: wifi}
            E0215 1:212+1 the previous change of network has not ended yet | help: it may last until 2m10s; begin later, or make it shorter
        {at: 1m, wifi: off}, {at: 2m, airplane: 10s}
            E0215 1:208+1 the phone has no network to lose | help: They exclude each other: change or remove one.
        {at: 1m, readdress: cellular}
            E0215 1:187+1 the phone is not on cellular | help: They exclude each other: change or remove one.
        {at: 1m, readdress: wifi, old-path: reset}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 readdress(wifi, reset)
        {at: 1h, wifi: off}
            E0214 1:187+1 it would come at 1h, when the scenario is over | help: A change at or after `duration` never takes effect, so the scenario would not test it.
        {at: 59m, wifi: off}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 3540000 pathDown(wifi, error)
        {at: 1m, dead-zone: 5s, repeat: {every: 20m, times: 3}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 65000 coverage(wifi, true), 1260000 coverage(wifi, false), 1265000 coverage(wifi, true), 2460000 coverage(wifi, false), 2465000 coverage(wifi, true)
        {at: 1m, dead-zone: 5s, repeat: {every: 20m, times: 4}}
            E0214 1:187+1 repetition 4 would come at 1h1m, when the scenario is over | help: A change at or after `duration` never takes effect, so the scenario would not test it.
        {at: 1m}
            E0213 1:187+1 an entry that changes nothing | help: Each entry has an `at:` and at least one change.
        """#

    static let disturbancesEndAndOverlapText = #"""
        {at: 1m, dead-zone: 10s}, {at: 70s, dead-zone: 10s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 70000 coverage(wifi, true), 70000 coverage(wifi, false), 80000 coverage(wifi, true)
        {at: 1m, dead-zone: 10s}, {at: 69s, dead-zone: 10s}
            E0215 1:247+1 the previous dead zone has not ended yet | help: it may last until 1m10s; begin later, or make it shorter
        {at: 1m, dead-zone: 10s, interface: cellular}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(cellular, false), 70000 coverage(cellular, true)
        {at: 1m, wan-cut: 10s}, {at: 70s, wan-cut: 1s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 uplink(wifi, false), 70000 uplink(wifi, true), 70000 uplink(wifi, false), 71000 uplink(wifi, true)
        {at: 1m, wan-cut: 10s}, {at: 69s, wan-cut: 1s}
            E0215 1:245+1 the previous cut has not ended yet | help: it may last until 1m10s; begin later, or make it shorter
        {at: 1m, dead-zone: 10s}, {at: 65s, wan-cut: 1s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 65000 uplink(wifi, false), 66000 uplink(wifi, true), 70000 coverage(wifi, true)
        {at: 1m, one-way: up, for: 10s}, {at: 70s, one-way: down}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 oneWay(wifi, down, passes: false), 70000 oneWay(wifi, down, passes: true), 70000 oneWay(wifi, up, passes: false)
        {at: 1m, one-way: up, for: 10s}, {at: 69s, one-way: down}
            E0215 1:254+1 wifi is one-way already | help: remove it, because it would change nothing
        {at: 1m, one-way: up}, {at: 2m, one-way: off}, {at: 3m, one-way: off}
            E0215 1:268+1 no direction is blocked that could be restored | help: They exclude each other: change or remove one.
        {at: 1m, one-way: up, for: 10s}, {at: 65s, one-way: off}
            E0215 1:254+1 no direction is blocked that could be restored | help: They exclude each other: change or remove one.
        {at: 1m, one-way: off, for: 1s}
            E0215 1:221+1 `off` has no length | help: They exclude each other: change or remove one.
        {at: 1m, roam: 2s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 62000 roamed
        {at: 1m, wifi: off}, {at: 2m, roam: 2s}
            E0215 1:242+1 the phone is not on wifi | help: They exclude each other: change or remove one.
        {at: 1m, cell-handover: true}
            E0215 1:221+1 the phone is not on cellular | help: They exclude each other: change or remove one.
        {at: 1m, handoff: cellular}, {at: 2m, cell-handover: true}, {at: 3m, technology: lte}, {at: 4m, technology: lte}, {at: 5m, technology: cellular}
            E0215 1:308+1 the radio is lte already | help: remove it, because it would change nothing
        {at: 1m, technology: nr}
            E0215 1:221+1 the phone has no nr radio | help: add one beside `cellular` under phone: radios:
        {at: 0s, technology: cellular}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, spurious: flap}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 spurious(wifi, flap)
        {at: 1m, spurious: available, interface: cellular}
            E0215 1:221+1 the phone is not on cellular | help: They exclude each other: change or remove one.
        {at: 1m, conditions: {wifi: lte}}, {at: 2m, conditions: {wifi: lte}}
            E0215 1:256+1 these conditions hold already | help: remove it, because it would change nothing
        {at: 1m, conditions: {wifi: lte}, for: 10s}, {at: 70s, conditions: {wifi: wpt-3g}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 conditions(wifi, 1), 70000 conditions(wifi, 0), 70000 conditions(wifi, 2)
        {at: 1m, conditions: {wifi: lte}, for: 10s}, {at: 69s, conditions: {wifi: wpt-3g}}
            E0215 1:266+1 the previous conditions still hold | help: They exclude each other: change or remove one.
        {at: 1m, conditions: {wifi: usual}}
            E0215 1:221+1 these conditions hold already | help: remove it, because it would change nothing
        {at: 1m, access: open}
            E0215 1:221+1 access to wifi is open already | help: remove it, because it would change nothing
        {at: 0s, access: open}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, access: by-hand}, {at: 2m, access: open}, {at: 3m, access: open}
            E0215 1:272+1 access to wifi is open already | help: remove it, because it would change nothing
        {at: 1m, access: refused}, {at: 2m, access: refused}
            E0215 1:248+1 wifi is refused to the app already | help: remove it, because it would change nothing
        {at: 1m, nat: forget}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 mappingsLost(wifi)
        {at: 1m, nat: forget, interface: cellular}
            E0215 1:221+1 `nat: forget` without a middlebox | help: add middleboxes: {cellular: …}; `deadzone list middleboxes` has some
        {at: 1m, signal: weak}
            E0215 1:221+1 the cellular profile has no values for a weak signal | help: no measurement exists for it, and none is invented; set `weak-signal-`… in a profile of your own
        {at: 1m, signal: usual}
            E0215 1:221+1 the signal is as usual already | help: remove it, because it would change nothing
        {at: 0s, signal: usual}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        """#

    static let serversMoveText = #"""
        {at: 1m, server: moves}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 serverMoved(silent), 60000 nameUpdated
        {at: 1m, server: moves, old-address: reset, dns-after: 2m}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 serverMoved(reset), 180000 nameUpdated
        {at: 1m, server: moves, dns-after: 10s}, {at: 69s, server: moves}
            E0215 1:242+1 the server's name does not have the address of the previous move yet | help: They exclude each other: change or remove one.
        {at: 1m, server: moves, dns-after: 10s}, {at: 70s, server: moves}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 serverMoved(silent), 70000 nameUpdated, 70000 serverMoved(silent), 70000 nameUpdated
        {at: 1m, server: moves, for: 1m}
            E0215 1:201+1 `moves` has no length | help: a second `server: moves` moves it again
        {at: 1m, server: down, old-address: reset}
            E0215 1:224+11 `old-address` without `server: moves` | only a server that moves has an old address
        {at: 1m, app: background, dns-after: 1m}
            E0215 1:227+9 `dns-after` without `server: moves` | only a server that moves has an old address
        {at: 1m, server: moves, phones: 50%}
            E0215 1:201+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: 1m, server: down}, {at: 2m, server: moves}, {at: 3m, server: up}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 server(down), 120000 serverMoved(silent), 120000 nameUpdated, 180000 server(up)
        {at: 1m, server: moves}
            E0215 1:187+1 `server: moves` without a resolver | help: add `resolver: {}`; without it every phone knows the server's address
        """#

    static let serversGoAndComeBackText = #"""
        {at: 1m, server: down, for: 10s}, {at: 70s, server: frozen}, {at: 80s, server: up}, {at: 90s, server: up}
            E0215 1:403+1 the server is up already | help: remove it, because it would change nothing
        {at: 1m, server: down, for: 10s}, {at: 69s, server: frozen}
            E0215 1:353+1 the previous disturbance of the server has not ended yet | help: it may last until 1m10s; begin later, or make it shorter
        {at: 1m, server: down, for: 10s}, {at: 65s, server: up}
            E0215 1:353+1 the server comes back by itself | help: They exclude each other: change or remove one.
        {at: 1m, server: drain}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 server(draining)
        {at: 1m, server: drain, for: 1s}
            E0215 1:319+1 `up` and `drain` have no length | help: They exclude each other: change or remove one.
        {at: 1m, server: up, for: 1s}
            E0215 1:319+1 `up` and `drain` have no length | help: They exclude each other: change or remove one.
        {at: 1m, server: refuses-logins}, {at: 2m, server: up}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 server(refusingLogins), 120000 server(takingLogins)
        {at: 1m, server: frozen}, {at: 2m, server: drain}
            E0215 1:345+1 the previous disturbance of the server has not ended yet | help: They exclude each other: change or remove one.
        {at: 1m, server: up}
            E0215 1:319+1 the server is up already | help: remove it, because it would change nothing
        {at: 1m, dns: down, for: 10s}, {at: 70s, dns: down}, {at: 2m, dns: up}, {at: 3m, dns: up}
            E0215 1:391+1 names resolve already | help: remove it, because it would change nothing
        {at: 1m, dns: down, for: 10s}, {at: 69s, dns: down}
            E0215 1:350+1 names do not resolve already | help: remove it, because it would change nothing
        {at: 1m, dns: down, for: 10s}, {at: 65s, dns: up}
            E0215 1:350+1 names resolve already | help: remove it, because it would change nothing
        {at: 1m, dns: down}, {at: 2m, dns: up, for: 1s}
            E0215 1:340+1 `up` has no length | help: They exclude each other: change or remove one.
        {at: 1m, server-version: new}, {at: 2m, server-version: usual}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 serverVersion(1), 120000 serverVersion(0)
        {at: 1m, server-version: usual}
            E0215 1:319+1 the server has this version already | help: remove it, because it would change nothing
        {at: 1m, server-version: nwe}
            E0110 1:319+1 unknown version of the server `nwe`, did you mean `new`? | help: server: versions: {nwe: {history: {messages: 1000}}}
        {at: 1m, instance: {down: 1}, for: 5s}, {at: 65s, instance: {frozen: 1}, for: 2m}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 65000 instance(0, up), 65000 instance(0, frozen), 80000 instance(0, ejected), 185000 instance(0, up), 190000 instance(0, readmitted)
        {at: 1m, instance: {down: 1}, for: 1m}, {at: 121s, instance: {down: 1}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 70000 instance(0, ejected), 120000 instance(0, up), 120000 instance(0, readmitted), 121000 instance(0, down), 140000 instance(0, ejected)
        {at: 1m, instance: {down: 3}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(2, down), 70000 instance(2, ejected)
        {at: 1m, instance: {down: 4}}
            E0215 1:319+1 the server has no instance 4 | help: server: instances: 4
        {at: 1m, instance: {down: 0}}
            E0215 1:328+8 an instance needs exactly one change | write instance: {down: 2} or instance: {frozen: 2}
            E0108 1:345+1 `0` is out of range | must be from 1 to 250
        {at: {uniform: [1m, 2m]}, instance: {down: 1}}
            E0215 1:319+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: 1m, instance: {down: 1}, for: {uniform: [1s, 2s]}}
            E0215 1:319+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: 1m, deploy: {over: 1m, instances: 3}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 deploy(DeadzoneSimulator.Deploy(over: DeadzoneBase.TimeSpan(nanoseconds: 60000000000), instances: 3, isAbrupt: false))
        {at: {uniform: [1m, 2m]}, server: down}
            E0215 1:319+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: {uniform: [1m, 2m]}, together: true, server: down}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 server(down)(60000~60000 0 true)
        {at: 1m, server: down, phones: 50%}
            E0215 1:319+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: 1m, server: down, for: {uniform: [1s, 2s]}}
            E0215 1:319+1 the server is the same for every phone | help: with `together: true` all phones get the same random moment; remove `phones`
        {at: 1m, instance: {down: 1}, for: 19s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 70000 instance(0, ejected), 79000 instance(0, up), 80000 instance(0, readmitted)
        {at: 1m, instance: {down: 1}, for: 20s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 70000 instance(0, ejected), 80000 instance(0, up), 80000 instance(0, readmitted)
        {at: 1m, instance: {down: 1}, for: 21s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 70000 instance(0, ejected), 81000 instance(0, up), 90000 instance(0, readmitted)
        {at: 1m, instance: {down: 1}, for: 22s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 instance(0, down), 70000 instance(0, ejected), 82000 instance(0, up), 90000 instance(0, readmitted)
        """#

    static let phonesVaryText = #"""
        {at: 1m, dead-zone: 5s, phones: 50%}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false)(60000~0 0 false), 65000 coverage(wifi, true)(60000~0 0 false)
        {at: 1m, dead-zone: 5s, phones: 4}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 65000 coverage(wifi, true)
        {at: 1m, dead-zone: 5s, phones: 5}
            E0108 1:211+6 5 of 4 phones | only 4 phones follow this timeline | help: `phones` is here the number of phones that the entry affects; write a share as 50%
        {at: 1m, wifi: off, phones: 50%}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        {at: {uniform: [1m, 2m]}, wifi: off}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error)(60000~60000 0 false)
        {at: {uniform: [1m, 2m]}, wifi: off}, {at: 2m, wifi: home}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error)(60000~60000 0 false), 120000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: {uniform: [1m, 2m]}, wifi: off}, {at: 119s, wifi: home}
            E0215 1:225+1 this may happen before or after line 1, depending on the phone | help: {at: {uniform: [1m, 2m]}, wifi: off} starts or ends between 1m and 2m, this at 1m59s or later
        {at: {uniform: [1m, 2m]}, dead-zone: 5s}, {at: 90s, app: background}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false)(60000~60000 0 false), 65000 coverage(wifi, true)(60000~60000 0 false), 90000 app(foreground: false)
        {at: {uniform: [1m, 2m]}, dead-zone: 5s, repeat: {every: 1m, times: 2}}
            E0215 1:187+1 it may happen again before it has ended, depending on the phone | help: one occurrence starts or ends between 1m5s and 2m5s, the next at 2m or later
        {at: {uniform: [1m, 2m]}, dead-zone: 5s, repeat: {every: 65s, times: 2}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false)(60000~60000 0 false), 65000 coverage(wifi, true)(60000~60000 0 false), 125000 coverage(wifi, false)(60000~60000 0 false), 130000 coverage(wifi, true)(60000~60000 0 false)
        {at: 1m, dead-zone: {uniform: [1s, 90s]}, repeat: {every: 1m, times: 2}}
            E0215 1:187+1 the previous dead zone has not ended yet | help: it may last until 2m30s; begin later, or make it shorter
        {at: {uniform: [1m, 2m]}, together: true, dead-zone: 5s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false)(60000~60000 0 true), 65000 coverage(wifi, true)(60000~60000 0 true)
        {at: 1m, kill: app, phones: 50%}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 kill(60000~0 0 false)
        {at: 1m, kill: force-stop, phones: 50%}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        {at: 1m, conditions: {wifi: lte}, phones: 50%}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        {at: 1m, conditions: {wifi: lte}, for: 5s, phones: 50%}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 conditions(wifi, 1)(60000~0 0 false), 65000 conditions(wifi, 0)(60000~0 0 false)
        {at: 1m, one-way: up, phones: 50%}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        {at: 1m, one-way: up, for: 5s, phones: 50%}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 oneWay(wifi, down, passes: false)(60000~0 0 false), 65000 oneWay(wifi, down, passes: true)(60000~0 0 false)
        {at: 1m, airplane: 5s, phones: 2}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 pathDown(wifi, error)(60000~0 0 false), 65000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))(60000~0 0 false)
        {at: 1m, dns: down, phones: 2}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        {at: 1m, app: background, phones: 2}
            E0215 1:187+1 phones that skip this entry would be in another state afterwards | help: `phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, `readdress`, `kill: app`, `conditions` and `one-way` with `for`
        """#

    static let phonesAndAppsChangeText = #"""
        {at: 1m, screen: off}, {at: 2m, screen: off}
            E0215 1:210+1 the screen is off already | help: remove it, because it would change nothing
        {at: 0s, screen: on}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all))
        {at: 1m, screen: off, motion: moving, charging: on, battery-saver: on}, {at: 2m, motion: still, charging: off, battery-saver: off}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 screen(false), 60000 charging(true), 60000 moving(true), 60000 saving(true), 120000 charging(false), 120000 moving(false), 120000 saving(false)
        {at: 1m, motion: still}
            E0215 1:187+1 the phone is still already | help: remove it, because it would change nothing
        {at: 1m, alarm-clock: 1m}
            E0215 1:187+1 the alarm clock would have rung before it is set | help: They exclude each other: change or remove one.
        {at: 1m, alarm-clock: 61s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 alarmClock(DeadzoneBase.Instant(nanoseconds: 61000000000))
        {at: 1m, clock: 0s}
            E0215 1:187+1 the clock is set by zero | help: They exclude each other: change or remove one.
        {at: 1m, clock: -30m}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 clockSet(DeadzoneBase.TimeSpan(nanoseconds: -1800000000000))
        {at: 1m, clock: +8785h}
            E0108 1:203+6 `+8785h` is out of range | must be from -8784h to 8784h
        {at: 1m, push: high}, {at: 2m, push: normal}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 push(urgent: true), 120000 push(urgent: false)
        {at: 1m, kill: app}, {at: 2m, app: foreground}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 kill, 120000 app(foreground: true)
        {at: 1m, screen: off}, {at: 2m, kill: app}, {at: 3m, app: foreground}
            E0215 1:231+1 the app is in the foreground already | help: remove it, because it would change nothing
        {at: 1m, screen: off}, {at: 2m, kill: force-stop}, {at: 3m, app: foreground}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 screen(false), 120000 forceStop, 180000 app(foreground: true)
        {at: 1m, app: background}, {at: 2m, app: background}
            E0215 1:214+1 the app is in the background already | help: remove it, because it would change nothing
        {at: 1m, app: foreground}
            E0215 1:187+1 the app is in the foreground already | help: remove it, because it would change nothing
        {at: 1m, freeze-ui: 5s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 consumerStall(DeadzoneBase.TimeSpan(nanoseconds: 5000000000))
        {at: 1m, chaos: {disconnect: 10m, for: 30m, seed: 3}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 660000 readdress(wifi, reset), 1260000 readdress(wifi, ended)
        {at: 1m, chaos: {kill: 10m, for: 30m}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 660000 kill, 664832 app(foreground: true), 1260000 kill, 1264456 app(foreground: true)
        {at: 1m, chaos: {handoff: 10m, for: 30m}}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 660000 pathUp(cellular, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 660000 pathDown(wifi, error), 1260000 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 1260000 pathDown(cellular, reset)
        {at: 1m, chaos: {}}
            E0213 1:187+1 chaos without a disturbance | help: add disconnect, handoff, dead-zone or kill
        {at: 1m, wifi: hmoe}
            E0215 1:187+1 wifi is up already at 1m | help: leave it before it is joined again, with `wifi: off` or a `handoff`
        {at: 1m, wifi: home, old-path: silent}
            E0215 1:208+8 `old-path` without `handoff`, `airplane` or `readdress` | belongs to one of them
        {at: 1m, app: background, for: 5s}
            E0215 1:213+3 `for` without `one-way`, `server`, `instance`, `dns`, `conditions` or `signal` | belongs to one of them
        {at: 1m, dead-zone: 0s}
            E0108 1:207+2 `0s` is out of range | must be from 1ms to 8784h
        {at: 1m, screen: off}
            E0215 1:165+1 `screen` without an operating system | help: add a platform under phone, such as `platform: android-15`
        {at: 1m, app: background}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 app(foreground: false)
        {at: 1m, dead-zone: 5s}
            0 pathUp(wifi, DeadzoneSimulator.Attachment(usableAfter: DeadzoneBase.TimeSpan(nanoseconds: 0), portal: nil, announcedAfter: nil, isMetered: nil, reach: all)), 60000 coverage(wifi, false), 65000 coverage(wifi, true)
        """#
}
