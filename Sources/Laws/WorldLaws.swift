import DeadzoneDevice
import DeadzoneEngine
public import DeadzoneJournal
import DeadzonePrimitives
public import DeadzoneWorld

/// What holds in every world, for every strategy: looked for in all that one phone has journalled.
public struct WorldLaws: Recorder {
    public private(set) var records: [Record] = []

    public init() {}

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) { records += batch }
    public mutating func merge(_ other: WorldLaws) { records += other.records }

    public func count(_ kind: Kind) -> Int { records.count { $0.kind == kind } }

    func sum(_ kind: Kind) -> Int64 { records.reduce(0) { $1.kind == kind ? $0 + $1.value : $0 } }

    /// One sentence for each law that does not hold.
    public func broken(in world: World) -> [String] {
        var broken: [String] = []
        if count(.stopped) > 0 { broken.append("the strategy was stopped") }
        checkTime(world, &broken)
        checkTags(&broken)
        checkEnergy(world, &broken)
        checkTransitions(world, &broken)
        checkMessages(&broken)
        checkCalls(&broken)
        checkBelief(&broken)
        return broken
    }

    private func checkTime(_ world: World, _ broken: inout [String]) {
        var last = Instant.zero
        for record in records {
            if record.at < last || world.horizon < record.at {
                return broken.append("time runs from \(last) to \(record.at)")
            }
            last = record.at
        }
    }

    /// What is written can be read.
    private func checkTags(_ broken: inout [String]) {
        for record in records where !record.kind.fact.understands(record.tag) {
            return broken.append("\(record.kind.fact.name) has the tag \(record.tag)")
        }
    }

    /// Every nanosecond of a radio is on the books, and the bill adds up by state as by cause.
    private func checkEnergy(_ world: World, _ broken: inout [String]) {
        let ledger = ledger
        for interface in Interface.allCases where world.has(interface) {
            let missing = (world.horizon - .zero) - ledger.time(on: interface)
            if missing != .zero { broken.append("\(missing) of the \(interface) radio is nowhere") }
            let bill = Bill(ledger, on: interface, world.profiles(of: interface))
            let byState = RadioState.allCases.reduce(Energy.zero) { $0 + bill.energy(in: $1) }
            let byCause = Cause.allCases.reduce(Energy.zero) { $0 + bill.energy(for: $1) }
            if byState != bill.total || byCause != bill.total { broken.append("the \(interface) bill does not add up") }
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

    /// A message ends once: delivered, lost, or on its way at the end.
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

    /// So does a call: answered, failed, or waited for at the end.
    private func checkCalls(_ broken: inout [String]) {
        let ends = Int64(count(.answered) + count(.callFailed)) + sum(.callPending)
        if Int64(count(.called)) != ends { broken.append("\(count(.called)) calls have \(ends) ends") }
        let ages = count(.waitedCall)
        if Int64(ages) != sum(.callPending) { broken.append("\(sum(.callPending)) open calls have \(ages) ages") }
        if records.contains(where: { $0.kind == .answered && $0.value <= 0 }) { broken.append("a call takes no time") }
    }
}
