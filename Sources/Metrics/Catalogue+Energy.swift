import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let battery: [Metric] = [
        Metric(
            "battery.joules", "Energy", .joules, .lower,
            "Energy that one phone spends on its radios, and on waking its processor where there is a platform.",
            """
            Time in every radio state times the power of that state, plus what sending and receiving cost per bit, summed over \
            Wi-Fi and cellular. In a scenario without a platform it is the radio alone: no screen, no processor. A platform \
            adds cpu.wake, what waking the processor with the screen off costs, and nothing else: no screen, no work with the \
            screen on. The ledger counts nanoseconds, wake-ups and bytes; the powers come from the profiles and the platform \
            that the report names, and are only as good as their sources. With several phones it is the mean of one phone.
            """, .energy { $0.total }),
        Metric(
            "battery.above_idle_joules", "Energy above idle", .joules, .lower,
            "Energy that one phone spends beyond what it would have spent if nobody had sent anything: what a policy can change.",
            """
            battery.joules less what the same radios would have cost in the same time at rest: the power of idle wherever they \
            were up (paging, beacons), and of searching where there was no network, with the processor asleep. Where the idle \
            share is large, totals of two clients differ by a percent or two though one spends ten times the other. What other \
            apps, the push service and handovers cost is in it, since radios that nobody uses do none of it.
            """, .energy { $0.aboveIdle }),
        Metric(
            "battery.joules_per_hour", "Energy per hour", .joulesPerHour, .lower,
            "Energy as in battery.joules that one phone spends in an hour.",
            "battery.joules per hour of simulated time, so that runs of different length can be compared.",
            // The nanoseconds of an hour, over the femtojoules of a joule.
            .ratio(
                { $0.energy.total }, times: 3_600_000_000_000, over: { $0.fold.elapsed * 1_000_000_000_000_000 },
                of: .onePhone)),
        Metric(
            "battery.percent_per_hour", "Battery drain", .percentPerHour, .lower,
            "Energy as in battery.joules, as a share of the phone's battery, per hour.",
            """
            battery.joules over the battery that the scenario gives the phone, per hour of simulated time. Without a battery \
            in the scenario there is nothing to measure.
            """,
            // Femtojoules over microjoules is 10^-9; times 100 %, times the nanoseconds of an hour.
            .ratio({ $0.energy.total }, times: 360_000, over: { $0.fold.elapsed * $0.microjoules }, of: .onePhone)),
        Metric(
            "battery.percent", "Battery used", .percent, .lower,
            "Energy as in battery.joules, as a share of the phone's battery, in the whole run.",
            "battery.joules over the battery that the scenario gives the phone; without one there is nothing to measure.",
            .ratio(
                { $0.energy.total }, times: 100, over: { $0.phones * $0.microjoules * 1_000_000_000 }, of: .onePhone)),
        Metric(
            "battery.milliampere_hours", "Charge used", .milliampereHours, .lower,
            "Energy as in battery.joules, as charge of the phone's battery at its nominal voltage.",
            """
            battery.joules over the nominal voltage of the battery that the scenario gives the phone (3.7 V where it does not \
            say), as data sheets of phones count; without a battery there is nothing to measure.
            """,
            // One milliampere-hour at one millivolt is 3.6 mJ.
            .ratio(
                { $0.energy.total }, times: 1, over: { $0.phones * $0.millivolts * 3_600_000_000_000 }, of: .onePhone)),
        Metric(
            "battery.radio_active_ratio", "Radios awake, added up", .ratio, .lower,
            "Share of the time in which a radio is awake: neither idle, nor inactive, nor searching; that of two radios added up.",
            """
            Time in promotion, transfer, tail, DRX, handover and the UMTS channels, over simulated time. Wi-Fi and cellular are \
            added up, so a phone that keeps both awake comes to more than 100%.
            """, .ratio({ $0.fold.ledger.awake }, times: 1) { $0.fold.elapsed }),
        Metric(
            "battery.promotions", "Radio promotions", .count, .lower,
            "How often an idle radio had to be brought up.",
            """
            Each promotion costs time before the first byte and is followed by a tail after the last one. Many promotions with \
            few bytes are the mark of a keepalive that runs just too slowly to share a tail, or just too fast to be worth it.
            """, .mean { Int128($0.fold.count(of: .promotion)) }),
    ]

    static let energyByState: [Metric] =
        [RadioState.idle, .tail, .active].map { state($0, of: .wifi) }
        + RadioState.allCases.map { state($0, of: .cellular) } + [wake]

    private static let wake = Metric(
        "cpu.wake", "Processor woken", .joules, .lower,
        "Energy of the processor while it is awake with the screen off, and of waking it.",
        """
        Time awake with the screen off times the platform's power of being awake, plus its energy for each wake-up. Each is on \
        the account of what woke the processor. Without a platform there is nothing to measure. With the states of all radios \
        it adds up to battery.joules exactly.
        """, .energy({ $0.wake }, ofProcessor: true))

    private static func state(_ state: RadioState, of interface: Interface) -> Metric {
        Metric(
            "\(interface.name).\(state.name)", "\(interface.title) \(state.title)", .joules, .lower,
            "Energy of the \(interface.title) radio \(state.clause).",
            "\(state.explanation) The states of all radios, and cpu.wake, add up to battery.joules exactly.",
            .energy { $0.sum(interface, state) })
    }

    static let energyByCause: [Metric] = Cause.allCases.map { cause in
        Metric(
            "cause.\(cause.name)", "Energy for \(cause.title)", .joules, .lower,
            "Energy that \(cause.title) cost, with the tails it started.",
            """
            \(cause.explanation) Radio time belongs to the cause that brought it about: promotion, transfer, and the tail that \
            follows until a packet of another cause takes it over. So does the processor's time awake, where there is a \
            platform. All causes add up to battery.joules exactly.
            """, .energy { $0.sum(cause) })
    }
}

extension Ledger {
    /// Nanoseconds in which a radio is awake.
    var awake: Int128 {
        var sum: Int128 = 0
        for interface in Interface.allCases {
            for state in RadioState.allCases where state != .idle && state != .inactive && state != .search {
                sum += nanoseconds(in: state, on: interface)
            }
        }
        return sum
    }
}
