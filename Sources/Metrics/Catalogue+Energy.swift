import DeadzoneBase
import DeadzoneDevice

extension Catalogue {
    static let battery: [Metric] = [
        Metric(
            "battery.joules", "Energy", .joules, .lower,
            "Energy of one phone's radios, and of waking its processor if the scenario has a platform.",
            """
            Time in each radio state times the power of that state, plus the cost of sending and receiving per bit, \
            summed over Wi-Fi and cellular. Without a platform it covers only the radios: no screen, no processor. A \
            platform adds only cpu.wake, the cost of waking the processor with the screen off: no screen, no work with \
            the screen on. The ledger counts nanoseconds, wake-ups and bytes. The powers come from the profiles and \
            the platform that the report names, and are only as good as their sources. With several phones it is the \
            mean per phone.
            """, .energy { $0.total }),
        Metric(
            "battery.above_idle_joules", "Energy above idle", .joules, .lower,
            "Energy of one phone beyond the energy without any traffic: the part that a policy can change.",
            """
            battery.joules minus the cost of the same radios at rest for the same time, with the processor asleep. At \
            rest means idle power while they were up (paging, beacons), and search power without a network. With a \
            large idle share, two totals differ by a percent or two even if one client uses ten times as much as the \
            other. The cost of other apps, the push service and handovers is included, because unused radios have none \
            of it.
            """, .energy { $0.aboveIdle }),
        Metric(
            "battery.joules_per_hour", "Energy per hour", .joulesPerHour, .lower,
            "battery.joules of one phone per hour.",
            "battery.joules per hour of simulated time, so that runs of different length can be compared.",
            // Nanoseconds per hour, over femtojoules per joule.
            .ratio(
                { $0.energy.total }, times: 3_600_000_000_000, over: { $0.fold.elapsed * 1_000_000_000_000_000 },
                of: .onePhone)),
        Metric(
            "battery.joules_per_day", "Energy per day", .joulesPerDay, .lower,
            "battery.joules of one phone at this rate for 24 hours.",
            "battery.joules divided by simulated time, times 24 hours: the energy if the whole day were like this run.",
            // Nanoseconds per day over femtojoules per joule, 8.64 · 10¹³ over 10¹⁵, in lowest terms.
            .ratio({ $0.energy.total }, times: 54, over: { $0.fold.elapsed * 625 }, of: .onePhone)),
        Metric(
            "battery.percent_per_hour", "Battery drain", .percentPerHour, .lower,
            "battery.joules as a share of the phone's battery, per hour.",
            """
            battery.joules divided by the energy of the phone's battery in the scenario, per hour of simulated time. \
            Without a battery in the scenario there is nothing to measure.
            """,
            // Femtojoules over microjoules is 10^-9; times 100 %, times the nanoseconds of an hour.
            .ratio({ $0.energy.total }, times: 360_000, over: { $0.fold.elapsed * $0.microjoules }, of: .onePhone)),
        Metric(
            "battery.percent_per_day", "Battery drain per day", .percentPerDay, .lower,
            "battery.joules as a share of the phone's battery, at this rate for 24 hours.",
            """
            battery.percent_per_hour times 24: the share of the battery if the whole day were like this run. Without a \
            battery in the scenario there is nothing to measure.
            """,
            .ratio({ $0.energy.total }, times: 24 * 360_000, over: { $0.fold.elapsed * $0.microjoules }, of: .onePhone)),
        Metric(
            "battery.percent", "Battery used", .percent, .lower,
            "battery.joules as a share of the phone's battery, in the whole run.",
            "battery.joules divided by the energy of the phone's battery in the scenario; without one there is nothing to measure.",
            .ratio(
                { $0.energy.total }, times: 100, over: { $0.phones * $0.microjoules * 1_000_000_000 }, of: .onePhone)),
        Metric(
            "battery.milliampere_hours", "Charge used", .milliampereHours, .lower,
            "battery.joules as charge of the phone's battery at its nominal voltage.",
            """
            battery.joules divided by the nominal voltage of the phone's battery in the scenario (3.7 V if it states \
            none), as in data sheets of phones. Without a battery there is nothing to measure.
            """,
            // One milliampere-hour at one millivolt is 3.6 mJ.
            .ratio(
                { $0.energy.total }, times: 1, over: { $0.phones * $0.millivolts * 3_600_000_000_000 }, of: .onePhone)),
        Metric(
            "battery.charge_per_hour", "Charge per hour", .milliampereHoursPerHour, .lower,
            "battery.milliampere_hours of one phone per hour.",
            """
            battery.milliampere_hours per hour of simulated time, so that runs of different length can be compared. \
            Without a battery in the scenario there is nothing to measure.
            """, charge(hours: 1)),
        Metric(
            "battery.charge_per_day", "Charge per day", .milliampereHoursPerDay, .lower,
            "battery.milliampere_hours of one phone at this rate for 24 hours.",
            """
            battery.milliampere_hours divided by simulated time, times 24 hours: the charge if the whole day were like \
            this run. Without a battery in the scenario there is nothing to measure.
            """, charge(hours: 24)),
        Metric(
            "battery.radio_active_ratio", "Radios awake, added up", .ratio, .lower,
            "Share of the time in which a radio is awake: not idle, inactive, asleep or searching. The shares of two radios are added.",
            """
            Time in promotion, transfer, tail, DRX, handover and the UMTS channels, divided by simulated time. Wi-Fi \
            and cellular are added, so a phone that keeps both awake has more than 100%.
            """, .ratio({ $0.fold.ledger.awake }, times: 1) { $0.fold.elapsed }),
        Metric(
            "battery.promotions", "Radio promotions", .count, .lower,
            "Number of times that an idle radio was promoted.",
            """
            Each promotion costs time before the first byte, and is followed by a tail after the last byte. Many \
            promotions with few bytes are the sign of a bad keepalive interval. It is slightly too long to share a \
            tail, or slightly too short to be worth it.
            """, .mean { Int128($0.fold.count(of: .promotion)) }),
    ]

    /// Milliampere-hours in this many hours. One milliampere-hour at one millivolt is 3.6 mJ, and an hour has 3.6 · 10¹²
    /// nanoseconds: both factors cancel.
    private static func charge(hours: Int128) -> Formula {
        .ratio({ $0.energy.total }, times: hours, over: { $0.fold.elapsed * $0.millivolts }, of: .onePhone)
    }

    static let energyByState: [Metric] =
        [RadioState.idle, .tail, .active].map { state($0, of: .wifi) }
        + RadioState.allCases.map { state($0, of: .cellular) } + Interface.further.map(radio) + [wake]

    private static let wake = Metric(
        "cpu.wake", "Processor woken", .joules, .lower,
        "Energy of the processor while it is awake with the screen off, and of waking it.",
        """
        Time awake with the screen off times the platform's power of being awake, plus its energy for each wake-up. \
        Each is charged to the cause that woke the processor. Without a platform there is nothing to measure. Together \
        with the states of all radios it equals battery.joules exactly.
        """, .energy({ $0.wake }, ofProcessor: true))

    private static func state(_ state: RadioState, of interface: Interface) -> Metric {
        Metric(
            "\(interface.name).\(state.name)", "\(interface.title) \(state.title)", .joules, .lower,
            "Energy of the \(interface.title) radio \(state.clause).",
            "\(state.explanation) The states of all radios, and cpu.wake, add up to battery.joules exactly.",
            .energy { $0.sum(interface, state) })
    }

    /// Energy of a radio that few phones have, in one sum: its states are in the part `by_state` of the results.
    private static func radio(_ interface: Interface) -> Metric {
        Metric(
            "\(interface.name).joules", "\(interface.title) radio", .joules, .lower,
            "Energy of the \(interface.title) radio.",
            """
            Energy of the \(interface.title) radio in all its states, as for the other radios: power times time, and \
            energy of bits. It is a part of battery.joules. A phone without this radio uses none.
            """, .energy { $0.sum(interface) })
    }

    static let energyByCause: [Metric] = Cause.allCases.map { cause in
        Metric(
            "cause.\(cause.name)", "Energy for \(cause.title)", .joules, .lower,
            "Energy of \(cause.title), including the tails that they started.",
            """
            \(cause.explanation) Radio time belongs to the cause that started it: promotion, transfer, and the tail \
            until a packet of another cause takes it over. The processor's time awake belongs to its cause in the same \
            way, if there is a platform. All causes add up to battery.joules exactly.
            """, .energy { $0.sum(cause) })
    }
}

extension RadioState {
    /// `true` for the states of a radio without a connection.
    fileprivate var isUnused: Bool { self == .idle || self == .inactive || self == .search || self == .powerSaving }
}

extension Ledger {
    /// Nanoseconds in which a radio is awake.
    var awake: Int128 {
        var sum: Int128 = 0
        for interface in interfaces {
            for (state, span) in zip(RadioState.allCases, nanosecondsByState(on: interface)) where !state.isUnused {
                sum += span
            }
        }
        return sum
    }
}
