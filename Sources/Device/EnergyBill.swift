package import DeadzoneBase

/// The energy that one interface used, per state and per cause, computed from a ledger of time and bytes. Each cell of
/// the ledger is converted once, to the femtojoule. States and causes are sums of the same cells, so both add up to the
/// total exactly.
package struct EnergyBill: Hashable, Sendable {
    /// The energy of the same time without any traffic: the radio is idle whenever it had a network.
    package private(set) var idling = Energy.zero
    private var cells = [Energy](repeating: .zero, count: RadioState.allCases.count * Self.causes)
    private static let causes = Cause.allCases.count

    package init(_ ledger: Ledger, on interface: Interface, _ profile: RadioProfile) {
        self.init(ledger, on: interface, [profile])
    }

    /// Creates the bill of a radio that changes its technology. `technologies` has the profile of each technology, in
    /// the order of their numbers.
    package init(_ ledger: Ledger, on interface: Interface, _ technologies: [RadioProfile]) {
        for (number, profile) in technologies.enumerated() { add(ledger, on: interface, profile, number) }
    }

    private mutating func add(_ ledger: Ledger, on interface: Interface, _ profile: RadioProfile, _ technology: Int) {
        ledger.forEachTime(on: interface, technology: technology) { level, cause, span in
            cells[Self.place(level.state, cause)] += profile.power(level).energy(overNanoseconds: span)
            idling += profile.power(level.isAtRest ? level : .idle).energy(overNanoseconds: span)
        }
        ledger.forEachBytes(on: interface, technology: technology) { direction, cause, bytes in
            cells[Self.place(profile.bitState, cause)] += profile.cost(direction).energy(ofBytes: bytes)
        }
    }

    package var total: Energy { cells.reduce(.zero, +) }

    package func energy(in state: RadioState, for cause: Cause) -> Energy { cells[Self.place(state, cause)] }

    /// Calls the body for each state and cause with energy. Most have none.
    package func forEachEnergy(_ body: (RadioState, Cause, Energy) -> Void) {
        for index in cells.indices where cells[index].femtojoules != 0 {
            body(RadioState.allCases[index / Self.causes], Cause.allCases[index % Self.causes], cells[index])
        }
    }

    package func energy(in state: RadioState) -> Energy {
        Cause.allCases.reduce(.zero) { $0 + energy(in: state, for: $1) }
    }

    package func energy(for cause: Cause) -> Energy {
        RadioState.allCases.reduce(.zero) { $0 + energy(in: $1, for: cause) }
    }

    private static func place(_ state: RadioState, _ cause: Cause) -> Int {
        Int(state.rawValue) * causes + Int(cause.rawValue)
    }
}

// The formulas of `Power` and `BitCost` for the ledger of many phones: its total time exceeds a `TimeSpan`.
extension Power {
    func energy(overNanoseconds span: Int128) -> Energy {
        Energy(femtojoules: (Int128(femtojoules) * span + Int128(cycle / 2)) / Int128(cycle))
    }
}

extension BitCost {
    fileprivate func energy(ofBytes bytes: Int128) -> Energy { Energy(femtojoules: Int128(femtojoules) * 8 * bytes) }
}

extension RadioProfile {
    /// The radio state to which the energy of bits is charged, whatever the state in which they flowed: `active`, or
    /// the dedicated channel of UMTS.
    package var bitState: RadioState {
        if case .umts(let timers) = machine, !timers.hasActiveLevels { .dch } else { .active }
    }
}
