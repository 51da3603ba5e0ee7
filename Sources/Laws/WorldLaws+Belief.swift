import DeadzoneBase

extension WorldLaws {
    /// Law: the client believes in a dead connection until the death is noticed or the process ends. Time while the
    /// system stops the app is recorded separately, as `zombieFrozen`.
    func checkBelief(_ broken: inout [String]) {
        let noticed = sum(.detected) + sum(.undetected)
        let believed = sum(.zombie) + sum(.zombieFrozen)
        let isEnded = count(.killed) + count(.crashed) > 0
        if believed < noticed || (believed > noticed && !isEnded) {
            broken.append(
                "\(TimeSpan.nanoseconds(believed).secondsText) on dead connections, of which "
                    + "\(TimeSpan.nanoseconds(noticed).secondsText) were noticed")
        }
        let stops = records.filter {
            $0.tag(of: .suspended).map { $0 != .asleep } ?? false
        }
        for record in records where record.kind == .zombie || record.kind == .zombieFrozen {
            let start = record.at - .nanoseconds(record.value)
            let stopped = stops.reduce(Int64(0)) { sum, stop in
                let shared = min(stop.at, record.at) - max(stop.at - .nanoseconds(stop.value), start)
                return sum + max(shared.nanoseconds, 0)
            }
            if stopped != (record.kind == .zombie ? 0 : record.value) {
                broken.append(
                    "\(TimeSpan.nanoseconds(stopped).secondsText) of \(TimeSpan.nanoseconds(record.value).secondsText) "
                        + "of a \(record.kind.definition.name) record belong to a stopped app")
            }
        }
    }
}
