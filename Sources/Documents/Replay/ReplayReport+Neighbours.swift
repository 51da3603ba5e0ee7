public import DeadzoneReplay

extension ReplayReport.Neighbours {
    var packets: UInt64 { kinds.reduce(0) { $0 + $1.packets } }

    /// One sentence.
    public var words: String {
        let sorted = kinds.sorted { ($1.packets, $0.word) < ($0.packets, $1.word) }
        let named = sorted.map { "\($0.packets) \($0.name)" }.joined(separator: ", ")
        let count = packets == 1 ? "1 packet is" : "\(packets) packets are"
        return "\(count) neighbours' talk that a cellular network would not carry (\(named)): without it "
            + "\(ReplayReport.decimal(joulesWithout, places: 2)) J instead of \(ReplayReport.decimal(joules, places: 2)) J; "
            + "bursts, beacons and advice leave it out"
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
    /// Those of the phone's own business, the dearest first, and the others as one.
    public var ownFlows: [Flow] { flows.filter { $0.talk == nil } }

    public var talkFlows: (count: Int, packets: UInt64, up: UInt64, down: UInt64, joules: Double)? {
        let talking = flows.filter { $0.talk != nil }
        guard !talking.isEmpty else { return nil }
        return talking.reduce((talking.count, 0, 0, 0, 0)) {
            ($0.0, $0.1 + $1.upPackets + $1.downPackets, $0.2 + $1.upBytes, $0.3 + $1.downBytes, $0.4 + $1.joules)
        }
    }
}
