import DeadzoneBase
import DeadzoneDevice

/// The phones of a scenario that `--across` moves to another network: the common phone, and the phone of each group of
/// a population that names the same setting.
struct NetworkPhone {
    private let cell: Node

    init(_ cell: Node) { self.cell = cell }

    /// The radios of the phone, cellular first.
    var radios: [Interface] {
        [Interface.cellular, .wifi].filter { interface in self[NetworkAxis(interface)].contains { !$0.isEmpty } }
    }

    /// The values of a setting: in the common phone, then in each group.
    subscript(axis: NetworkAxis) -> [Node] {
        places.compactMap { place in
            var node: Node? = cell
            for key in place + axis.path { node = node?[key] }
            return node
        }
    }

    /// The profile of a radio, as the scenario names it first.
    func profile(of radio: Interface) -> String? {
        self[NetworkAxis(radio)].first { !$0.isEmpty }.flatMap { $0.scalar ?? $0["profile"]?.scalar }
    }

    /// Paths to the maps that can contain a phone.
    private var places: [[String]] {
        [[]] + (cell["population"]?.entries ?? []).map { ["population", $0.key] }
    }

    /// The cell on another network, with its labels.
    func cell(_ plain: Matrix.MatrixCell, on network: [NetworkCandidate]) -> Matrix.MatrixCell {
        var cell = plain
        for candidate in network {
            for place in NetworkPhone(plain.node).places {
                cell.node = Self.placed(candidate, in: cell.node, at: place)
            }
            cell.labels.append((candidate.axis.rawValue, candidate.name))
        }
        return cell
    }

    /// Replaces the name only. Numbers that the scenario changes in a profile or platform stay changed.
    private static func placed(_ candidate: NetworkCandidate, in cell: Node, at place: [String]) -> Node {
        let path = place + candidate.axis.path
        var old: Node? = cell
        for key in path { old = old?[key] }
        guard let old, !old.isEmpty else {
            // A scenario without a platform gets one. A phone without a radio gets none.
            guard candidate.axis == .platform, place.isEmpty else { return cell }
            let name = Node(.scalar(candidate.name, quoted: false), at: AddedStrategy.mark)
            return cell.placed(name, at: path[...])
        }
        let name = old.entries == nil ? old : old["profile"] ?? old
        guard name.scalar != candidate.name else { return cell }
        let value = Node(.scalar(candidate.name, quoted: false), at: name.mark, width: name.width)
        return cell.placed(value, at: (old.entries == nil ? path : path + ["profile"])[...])
    }
}
