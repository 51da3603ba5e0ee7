import DeadzoneBase
import DeadzoneDevice

/// Expansion of `--across`. Each cell of a scenario is repeated on every network, as by a last axis of its matrix.
extension ScenarioLoader {
    /// Reads every cell on every network.
    /// - Parameters:
    ///   - document: the scenario, for the position of its matrix.
    ///   - read: reads one cell. `nil` if it has faults.
    func onNetworks(
        _ selection: AcrossSelection, _ cells: [Matrix.MatrixCell], of document: Node, _ faults: inout Faults,
        read: (Matrix.MatrixCell, inout Faults) -> Scenario?
    ) -> (scenarios: [Scenario], unfit: [UnfitNetwork]) {
        // The faults of the scenario itself are not faults of a network.
        for cell in cells where faults.count < Faults.maxShown { _ = read(cell, &faults) }
        guard faults.isEmpty, let first = cells.first?.node else { return ([], []) }
        let phone = NetworkPhone(first)
        let networks = networks(selection, phone)
        if let absent = networks.first?.first(where: { $0.axis != .platform && phone[$0.axis].allSatisfy(\.isEmpty) }) {
            faults.note(
                .across(
                    .contradiction, "the phone has no radio for \(quote(absent.name)) of `--across`", selection))
        }
        if let fault = clash(networks, cells, document) { faults.note(fault) }
        let needed = cells.count * networks.count
        if needed > Matrix.largest {
            faults.note(
                .across(.matrixSize, "`--across` makes \(needed) cells, more than \(Matrix.largest)", selection))
        }
        guard faults.isEmpty else { return ([], []) }
        var scenarios: [Scenario] = []
        var unfit: [UnfitNetwork] = []
        var fitting: [String] = []
        for cell in cells {
            for network in networks where faults.count < Faults.maxShown {
                var own = Faults()
                let name = network.map(\.name).joined(separator: ", ")
                if let scenario = read(phone.cell(cell, on: network), &own) {
                    scenarios.append(scenario)
                    if !fitting.contains(name) { fitting.append(name) }
                    continue
                }
                let reason = own.sorted.first.map { [$0.message, $0.label].filter { !$0.isEmpty } } ?? []
                let refused = UnfitNetwork(name: name, reason: reason.joined(separator: ": "))
                if network.allSatisfy(\.isNamed) {
                    faults.note(
                        .across(
                            .contradiction,
                            "the scenario cannot run on \(quote(name)) of `--across`: \(refused.reason)",
                            selection))
                } else if !unfit.contains(refused) {
                    unfit.append(refused)
                }
            }
        }
        if faults.isEmpty, fitting.count < 2 {
            let which = fitting.first.map { "only \(quote($0)) fits" } ?? "no network fits"
            faults.note(
                .across(.contradiction, "`--across` compares at least two networks, and \(which)", selection, unfit))
        }
        return (scenarios, unfit)
    }

    /// All combinations of the candidates of each axis. `profiles` contains the scenario's own profile, even if it is a
    /// file.
    private func networks(_ selection: AcrossSelection, _ phone: NetworkPhone) -> [[NetworkCandidate]] {
        var candidates = selection.candidates(vocabulary, radios: phone.radios)
        if selection.words.contains(AcrossSelection.profiles), let radio = phone.radios.first,
            let own = phone.profile(of: radio), own.hasSuffix(".yaml") || own.hasSuffix(".yml")
        {
            candidates.insert(NetworkCandidate(axis: NetworkAxis(radio), name: own, isNamed: false), at: 0)
        }
        var networks: [[NetworkCandidate]] = candidates.isEmpty ? [] : [[]]
        for axis in NetworkAxis.allCases {
            let values = candidates.filter { $0.axis == axis }
            guard !values.isEmpty else { continue }
            networks = networks.flatMap { network in values.map { network + [$0] } }
        }
        return networks
    }

    /// The fault of a matrix that already varies a setting of the networks.
    private func clash(_ networks: [[NetworkCandidate]], _ cells: [Matrix.MatrixCell], _ document: Node) -> Fault? {
        let phones = cells.map { NetworkPhone($0.node) }
        guard let axis = networks.first?.map(\.axis).first(where: { axis in Set(phones.map { $0[axis] }).count > 1 }),
            let matrix = document["matrix"]
        else { return nil }
        return matrix.fault(
            .matrixAxis, "`--across` and this matrix both vary `\(axis.rawValue)`", label: "remove one of them",
            help: "without `--across`, an axis `\(axis.rawValue)` in the matrix compares its values in the same way")
    }
}

extension Fault {
    fileprivate static func across(
        _ code: FaultCode, _ message: String, _ selection: AcrossSelection, _ unfit: [UnfitNetwork] = []
    ) -> Fault {
        let reasons = unfit.prefix(3).map { "\(visible($0.name, atMost: 80)): \($0.reason)" }
        return Fault(
            code, at: AddedStrategy.mark, message,
            help: reasons.isEmpty ? "--across \(visible(selection.text, atMost: 80))" : reasons.joined(separator: "; "))
    }
}
