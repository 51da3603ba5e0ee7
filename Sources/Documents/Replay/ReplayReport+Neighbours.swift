public import DeadzoneReplay

extension ReplayReport.Neighbours {
    var packets: UInt64 { kinds.reduce(0) { $0 + $1.packets } }

    /// One sentence about the neighbour traffic and its cost.
    public var words: String {
        let sorted = kinds.sorted { ($1.packets, $0.word) < ($0.packets, $1.word) }
        let named = sorted.map { "\($0.packets) \($0.name)" }.joined(separator: ", ")
        let count = packets == 1 ? "1 packet is" : "\(packets) packets are"
        return "\(count) local traffic that a cellular network does not carry (\(named)); without it: "
            + "\(ReplayReport.decimal(joulesWithout, places: 2)) J instead of \(ReplayReport.decimal(joules, places: 2)) J; "
            + "bursts, beacons and advice do not include it"
    }

    var json: JSON {
        .object([
            "packets": .integer(Int128(packets)),
            "bytes": .integer(Int128(kinds.reduce(0) { $0 + $1.bytes })),
            "joules": .number(joules - joulesWithout), "joules_without": .number(joulesWithout),
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
    /// Flows of the phone itself, the most expensive first. `neighbourFlows` sums up the others.
    public var ownFlows: [FlowRow] { flows.filter { $0.neighbourTraffic == nil } }

    public var neighbourFlows: (count: Int, packets: UInt64, up: UInt64, down: UInt64, joules: Double)? {
        let talking = flows.filter { $0.neighbourTraffic != nil }
        guard !talking.isEmpty else { return nil }
        return talking.reduce((talking.count, 0, 0, 0, 0)) {
            ($0.0, $0.1 + $1.upPackets + $1.downPackets, $0.2 + $1.upBytes, $0.3 + $1.downBytes, $0.4 + $1.joules)
        }
    }
}
