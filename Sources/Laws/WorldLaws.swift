package import DeadzoneBase
import DeadzoneDevice
package import DeadzoneSimulator

/// Invariants that must hold in every simulation, whatever the scenario and the strategy. They are checked on the
/// complete journal of one phone.
package struct WorldLaws: Recorder {
    package private(set) var records: [Record] = []
    /// Number of records of each kind, and the sum of their values, by raw value. The laws need both many times.
    private var totals = [KindTotal](repeating: KindTotal(), count: Self.kinds)

    private static let kinds = 1 + (RecordKind.allCases.map { Int($0.rawValue) }.max() ?? 0)

    private struct KindTotal: Sendable {
        var count = 0
        var sum: Int64 = 0
    }

    package init() {}

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        records += batch
        for record in batch {
            totals[Int(record.kind.rawValue)].count += 1
            totals[Int(record.kind.rawValue)].sum += record.amount
        }
    }

    package mutating func merge(_ other: WorldLaws) { other.records.withUnsafeBufferPointer { record($0) } }

    package func count(_ kind: RecordKind) -> Int { totals[Int(kind.rawValue)].count }

    func sum(_ kind: RecordKind) -> Int64 { totals[Int(kind.rawValue)].sum }

    /// The broken invariants, one sentence each.
    package func broken(in world: World) -> [String] {
        var broken: [String] = []
        if count(.stopped) > 0 { broken.append("the strategy was stopped") }
        checkTime(world, &broken)
        checkTags(&broken)
        checkEnergy(world, &broken)
        checkTransitions(world, &broken)
        checkMessages(&broken)
        checkLosses(&broken)
        checkSilence(&broken)
        checkCalls(&broken)
        checkPresence(&broken)
        checkBelief(&broken)
        return broken
    }

    private func checkTime(_ world: World, _ broken: inout [String]) {
        var last = Instant.zero
        for record in records {
            if record.at < last || world.horizon < record.at {
                return broken.append("invalid time \(record.at.secondsText) after \(last.secondsText)")
            }
            last = record.at
        }
    }

    /// Law: every written tag can be read.
    private func checkTags(_ broken: inout [String]) {
        for record in recordsWithNewTags where !record.kind.definition.isValidTag(record.tag) {
            return broken.append("\(record.kind.definition.name) has the tag \(record.tag)")
        }
    }

    /// The records without most of those that repeat the kind and tag of an earlier one. To look up the definition of
    /// every record took a fifth of the time of all laws.
    private var recordsWithNewTags: [Record] {
        var known = [UInt32](repeating: .max, count: 1_024)
        return records.filter { record in
            let pair = UInt32(record.kind.rawValue) << 16 | UInt32(record.tag)
            let place = Int((pair &* 0x9E37_79B1) >> 22)
            defer { known[place] = pair }
            return known[place] != pair
        }
    }

    /// Law: every nanosecond of a radio is accounted for, and the bill adds up by state and by cause.
    private func checkEnergy(_ world: World, _ broken: inout [String]) {
        let ledger = ledger
        for interface in world.interfaces where world.has(interface) {
            let missing = (world.horizon - .zero) - ledger.time(on: interface)
            if missing != .zero { broken.append("\(missing.secondsText) of the \(interface.title) radio is missing") }
            let bill = EnergyBill(ledger, on: interface, world.profiles(of: interface))
            let byState = RadioState.allCases.reduce(Energy.zero) { $0 + bill.energy(in: $1) }
            let byCause = Cause.allCases.reduce(Energy.zero) { $0 + bill.energy(for: $1) }
            if byState != bill.total || byCause != bill.total { broken.append("\(interface) energy does not add up") }
        }
    }

    private var ledger: Ledger {
        var ledger = Ledger()
        for record in records {
            switch record.kind {
            case .residency:
                guard let tag = record.tag(of: .residency) else { continue }
                ledger.add(
                    .nanoseconds(record.value), at: tag.level, for: tag.cause, on: tag.interface,
                    technology: tag.technology)
            case .bytes:
                guard let tag = record.tag(of: .bytes) else { continue }
                ledger.add(
                    bytes: record.value, tag.direction, for: tag.cause, on: tag.interface, technology: tag.technology)
            default: break
            }
        }
        return ledger
    }

    /// Law: a message ends exactly once: delivered, lost, or pending at the horizon.
    private func checkMessages(_ broken: inout [String]) {
        let down = Int64(count(.deliveredDown)) + sum(.lostDown) + sum(.pendingDown)
        let up = Int64(count(.deliveredUp)) + sum(.lostUp) + sum(.pendingUp)
        if Int64(count(.sentDown)) != down { broken.append("\(count(.sentDown)) messages down have \(down) ends") }
        if Int64(count(.sentUp)) != up { broken.append("\(count(.sentUp)) messages up have \(up) ends") }
        let ages = count(.waitedDown)
        if Int64(ages) != sum(.pendingDown) { broken.append("\(sum(.pendingDown)) messages pending have \(ages) ages") }
        let instant = records.contains { ($0.kind == .deliveredDown || $0.kind == .deliveredUp) && $0.value <= 0 }
        if instant { broken.append("a message takes no time") }
    }

    /// Law: an absence that other users see ends exactly once: with a session, or at the horizon. A user can be missed
    /// only meanwhile.
    private func checkPresence(_ broken: inout [String]) {
        let ends = count(.presenceBack) + count(.presenceStillAway)
        if count(.presenceAway) != ends { broken.append("\(count(.presenceAway)) absences have \(ends) ends") }
        let away = sum(.presenceBack) + sum(.presenceStillAway)
        if sum(.presenceMissed) > away { broken.append("a user is missed for longer than away") }
    }

    /// Law: a call ends exactly once: answered, failed, or pending at the horizon.
    private func checkCalls(_ broken: inout [String]) {
        let ends = Int64(count(.answered) + count(.callFailed)) + sum(.callPending)
        if Int64(count(.called)) != ends { broken.append("\(count(.called)) calls have \(ends) ends") }
        let ages = count(.waitedCall)
        if Int64(ages) != sum(.callPending) { broken.append("\(sum(.callPending)) open calls have \(ages) ages") }
        if records.contains(where: { $0.kind == .answered && $0.value <= 0 }) { broken.append("a call takes no time") }
    }
}
