package import DeadzoneCaptures
package import DeadzoneFit

extension PowerTrace {
    /// The power of one rail of a Perfetto trace, or the sum of several.
    /// - Parameter wanted: names of rails; if empty, the modem's rail.
    package init(_ rails: PowerRails, wanted: [String]) throws(Unreadable) {
        let chosen = rails.rails.filter { wanted.isEmpty ? $0.isModem : wanted.contains($0.name) }
        let missing = wanted.contains { name in !chosen.contains { $0.name == name } }
        guard let first = chosen.first, !missing, !wanted.isEmpty || chosen.count == 1 else {
            throw .manyRails((chosen.isEmpty || missing ? rails.rails : chosen).map(Self.label))
        }
        // The phone reads all rails at once. Times at which a rail has no reading are left out.
        var sums: [Double: (rails: Int, millijoules: Double)] = [:]
        for rail in chosen {
            for reading in rail.readings {
                sums[reading.seconds, default: (0, 0)].rails += 1
                sums[reading.seconds, default: (0, 0)].millijoules += Double(reading.microjoules) / 1e3
            }
        }
        let common = first.readings.map(\.seconds).filter { sums[$0]?.rails == chosen.count }
        try self.init(seconds: common, millijoules: common.map { sums[$0]?.millijoules ?? 0 })
    }

    private static func label(_ rail: PowerRails.Rail) -> String {
        rail.subsystem.isEmpty ? rail.name : "\(rail.name) (\(rail.subsystem))"
    }
}
