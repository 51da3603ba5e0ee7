import DeadzoneMetrics

extension TuneAnswer {
    /// Share by which a number is changed to see whether a demand breaks nearby.
    private static let edgeShare = 0.1

    /// The demands that break if one number of a row is somewhat lower or higher. The search looks for the best
    /// settings that keep the demands, so these are often close to breaking one. `nil` if the run was stopped.
    mutating func edges(of row: TuneReport.TuneRow) -> [TuneReport.TuneEdge]? {
        guard row.meetsDemands, let scorer = testScorer() else { return row.meetsDemands ? nil : [] }
        let tried = row.changed.flatMap { setting -> [(setting: Int, value: String)] in
            guard let own = row.values[setting] else { return [] }
            return [-Self.edgeShare, Self.edgeShare].compactMap { share in
                plan.space.settings[setting].value(near: own, changedBy: share).map { (setting, $0) }
            }
        }
        let sets = tried.map { change in
            var values = row.values
            values[change.setting] = change.value
            return values
        }
        guard let samples = test([row.values] + sets), let own = samples.first else { return nil }
        // In the weathers of the tests the row itself may break a demand.
        let broken = Set(own.map(scorer.brokenDemands) ?? [])
        return zip(tried, samples.dropFirst()).compactMap { change, samples in
            guard let samples, samples.isSound,
                let demand = scorer.brokenDemands(samples).first(where: { !broken.contains($0) })
            else { return nil }
            return TuneReport.TuneEdge(setting: change.setting, value: change.value, demand: demand)
        }
    }
}
