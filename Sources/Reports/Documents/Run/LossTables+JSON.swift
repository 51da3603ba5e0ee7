import DeadzoneBase
import DeadzoneMetrics

extension LossTables {
    /// Lost messages by cause and by place, and seconds of silence by cause. Rows without a value are left out.
    var json: JSON {
        func table(_ rows: [LossRow]) -> JSON {
            let listed = rows.filter { $0.value != .zero }
            return .object(Dictionary(uniqueKeysWithValues: listed.map { ($0.name, .number($0.value.double)) }))
        }
        func direction(_ direction: Direction) -> JSON {
            .object(["by_cause": table(byCause(direction)), "by_place": table(byPlace(direction))])
        }
        return .object(["down": direction(.down), "up": direction(.up), "silence_s": table(silenceByCause)])
    }
}

extension EntryCost {
    /// `true` if the entry cost anything, or if its energy is known.
    var isCharged: Bool { !share.isZero || joules != nil }

    var json: JSON {
        var members: [String: JSON] = [
            "title": .string(title),
            "lost_down": .number(share.lostDown.double),
            "lost_up": .number(share.lostUp.double),
            "silence_s": .number(share.silence.double),
        ]
        if case .entry(let name) = kind {
            members["entry"] = .integer(Int128(name.index))
            members["at_s"] = .number(Double(name.at.nanoseconds) / 1e9)
        }
        if let joules { members["joules_difference"] = .number(joules.double) }
        return .object(members)
    }
}
