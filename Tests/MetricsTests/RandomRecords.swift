import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// Random records of every kind, with any tag that the kind allows and a value that fits it.
func randomRecords(_ count: Int, seed: UInt64) -> [Record] {
    var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
    return (0..<count).map { index in
        let kind = RecordKind.allCases.randomElement(using: &dice)!
        let interface = Interface.allCases.randomElement(using: &dice)!
        let cause = Cause.allCases.randomElement(using: &dice)!
        var tag: UInt16 = 0
        var value = Int64(dice.next() >> (20 + dice.next() % 40))
        switch kind {
        case .residency:
            let level = PowerLevel.allCases.randomElement(using: &dice)!
            tag = RadioTag(interface: interface, level: level, cause: cause).bits
        case .bytes:
            let direction = Direction.allCases.randomElement(using: &dice)!
            tag = BytesTag(interface: interface, direction: direction, cause: cause).bits
        case .callOutage: tag = UInt16(dice.next() % 20)
        case .weather: tag = UInt16(dice.next() % 9)
        case .silent:
            let cause = LossCause.allCases.randomElement(using: &dice)!
            tag = SilenceTag(cause, change: dice.next() % 2 == 0 ? nil : UInt16(dice.next() % 9)).bits
        case .lostDown, .lostUp:
            let entry = randomLoss(kind == .lostDown ? .down : .up, &dice)
            return Record(
                at: Instant(nanoseconds: Int64(index)), phone: 0, kind: kind, tag: entry.tag, value: entry.value)
        default: tag = kind.definition.tags.randomElement(using: &dice) ?? 0
        }
        if kind.definition.value == .count { value %= 4 }
        if kind.definition.value == .tookEffect { value %= 2 }
        return Record(at: Instant(nanoseconds: Int64(index)), phone: 0, kind: kind, tag: tag, value: value)
    }
}

private func randomLoss(_ direction: Direction, _ dice: inout Dice) -> JournalEntry {
    let loss = MessageLoss(
        LossCause.allCases.randomElement(using: &dice)!, LossPlace.allCases.randomElement(using: &dice)!,
        first: UInt32(dice.next() % 1_000_000), count: UInt32(dice.next() % 4),
        change: dice.next() % 2 == 0 ? nil : UInt16(dice.next() % 9))
    return JournalEntry(loss, direction)
}

func fold(_ records: some Collection<Record>) -> RunFold {
    var fold = RunFold()
    Array(records).withUnsafeBufferPointer { fold.record($0) }
    return fold
}

func merged(_ folds: RunFold...) -> RunFold {
    folds.dropFirst().reduce(into: folds[0]) { $0.merge($1) }
}
