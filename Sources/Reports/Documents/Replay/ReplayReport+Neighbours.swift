package import DeadzoneReplay

extension ReplayReport.Neighbours {
    var packets: UInt64 { kinds.reduce(0) { $0 + $1.packets } }

    /// Two sentences about the neighbour traffic.
    package var words: String {
        let sorted = kinds.sorted { ($1.packets, $0.word) < ($0.packets, $1.word) }
        let named = sorted.map { "\($0.packets) \($0.name)" }.joined(separator: ", ")
        let count = packets == 1 ? "1 packet is" : "\(packets) packets are"
        return "\(count) local traffic, which a cellular network does not carry (\(named)). States, flows, bursts and "
            + "advice leave it out"
    }

    /// The energy that local traffic adds, such as `local traffic adds 9.56 J, which a cellular network does not carry`.
    package var addedWords: String {
        let amount = ReplayReport.decimal(abs(added), places: 2)
        return added < 0
            ? "local traffic, which a cellular network does not carry, would save \(amount) J"
            : "local traffic, which a cellular network does not carry, would add \(amount) J"
    }

    var json: JSON {
        .object([
            "packets": .integer(Int128(packets)),
            "bytes": .integer(Int128(kinds.reduce(0) { $0 + $1.bytes })),
            "joules": .number(added), "joules_without": .number(joulesWithout),
            "states_without": .array(without.states.map(\.json)),
            "kinds": .array(
                kinds.map { kind in
                    .object([
                        "kind": .string(kind.word), "packets": .integer(Int128(kind.packets)),
                        "bytes": .integer(Int128(kind.bytes)),
                    ])
                }),
        ])
    }
}

extension ReplayReport {
    /// Flows of the phone itself, the most expensive first, or the largest first. `neighbourFlows` sums up the others.
    package var ownFlows: [FlowRow] { flows.filter { $0.neighbourTraffic == nil } }

    package var neighbourFlows: (count: Int, packets: UInt64, up: UInt64, down: UInt64, joules: Double?)? {
        let talking = flows.filter { $0.neighbourTraffic != nil }
        guard !talking.isEmpty else { return nil }
        // The flows' shares of all traffic do not add up with the own flows, which cost less without them.
        let joules = neighbours?.added ?? (dividesEnergy ? talking.reduce(0) { $0 + ($1.joules ?? 0) } : nil)
        return talking.reduce((talking.count, 0, 0, 0, joules)) {
            ($0.0, $0.1 + $1.upPackets + $1.downPackets, $0.2 + $1.upBytes, $0.3 + $1.downBytes, $0.4)
        }
    }
}
