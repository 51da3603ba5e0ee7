import DeadzoneBase
@testable import DeadzoneClient

/// A send queue as a set of refused messages and two positions, beside `MessageQueue`.
struct ReferenceQueue {
    let rules: MessageQueue
    var (base, handed) = (0, 0)
    /// Refused messages between accepted ones, in four groups of consecutive ones.
    var refused = [Set<Int>](repeating: [], count: 4)
    var waitingBytes = 0
    /// `true` while unsent messages wait for their batch.
    var isHolding = false
    /// Reason for which the queue sends nothing: the wait after a refusal, or the server's answer about an offset.
    enum SendPause { case none, retry, alone, offset }
    var pause = SendPause.none
    var (refusals, hasBegun) = (0, false)
    var actions: [Action]

    init(_ rules: MessageQueue, after actions: [Action] = []) { (self.rules, self.actions) = (rules, actions) }

    private func cursor(_ position: Int) -> Cursor { Cursor(UInt32(position)) }
    private func acknowledged(_ session: Session) -> Int { Int(session.acknowledged.position) }
    private func produced(_ session: Session) -> Int { Int(session.produced.position) }

    func count(_ session: Session) -> Int {
        max(produced(session) - max(base, acknowledged(session)), 0) - refused.map(\.count).reduce(0, +)
    }

    mutating func start(_ session: Session) {
        self = ReferenceQueue(rules, after: actions)
        base = Int(session.forgotten.position)
        hasBegun = rules.chunk != nil
        guard rules.retention != .stored, produced(session) > 0 else { return }
        base = produced(session)
        actions.append(.forget(below: session.produced))
    }

    mutating func background(isOpen: Bool) {
        guard rules.flushForgets, isOpen else { return }
        base = max(base, handed)
        actions.append(.forget(below: cursor(base)))
    }

    mutating func open(done: Int?, _ session: Session) {
        guard rules.retention != .nothing else { return }
        if let done { discard(done) }
        let first = max(base, acknowledged(session))
        if rules.chunk != nil, first < handed { hasBegun = true }
        handed = first
        (waitingBytes, isHolding) = (0, false)
        if pause != .retry || isTriggered(.path) { pause = .none }
        if asksOffset(session) { return }
        handOver(upTo: produced(session), isNew: true, session)
    }

    mutating func discard(_ end: Int) {
        guard base < end else { return }
        (base, handed) = (end, max(handed, end))
        actions.append(.forget(below: cursor(end)))
    }

    mutating func confirm(isOpen: Bool, _ session: Session) {
        guard rules.retention != .nothing else { return }
        base = max(base, acknowledged(session))
        refusals = 0
        if pause == .alone { pause = .none }
        forgetPassed(session)
        if isOpen, !isHolding, handed < produced(session) {
            handOver(upTo: produced(session), isNew: false, session)
        }
    }

    mutating func enqueue(_ message: Message, isOpen: Bool, _ session: Session) {
        let index = Int(message.index)
        if rules.retention == .nothing {
            if isOpen { send(index, index + 1, moves: false) }
            return actions.append(.forget(below: message.next))
        }
        if rules.retention == .stored { actions.append(.storeOutgoing(below: message.next)) }
        base = max(base, acknowledged(session))
        if let bound = rules.boundBytes, !isOpen {
            guard waitingBytes + Int(message.bytes) <= Int(bound) else { return refuse(index) }
            waitingBytes += Int(message.bytes)
        }
        if let bound = rules.bound, count(session) > Int(bound) {
            guard rules.overflow == .dropOldest || rules.overflow == .halve else { return refuse(index) }
            let dropped = rules.overflow == .halve ? count(session) / 2 : 1
            base = min(max(base, acknowledged(session)) + dropped, produced(session))
            handed = max(handed, base)
            actions.append(.evict(below: cursor(base)))
            if rules.overflow == .halve { actions.append(.markGap(.up)) }
        }
        trigger(.nextMessage, isOpen: isOpen, session)
        let unsent = produced(session) - min(max(handed, base, acknowledged(session)), produced(session))
        isHolding = rules.batch.map { unsent < Int($0.every) } ?? false
        if isOpen, !isHolding { handOver(upTo: index + 1, isNew: false, session) }
    }

    func isTriggered(_ trigger: RefusalPolicy.Triggers) -> Bool {
        rules.onRefusal?.triggers.contains(trigger) ?? false
    }

    mutating func refused(_ index: Int, _ refusal: MessageRefusal, _ session: Session) {
        let policy = rules.retention == .nothing || rules.removal == .sent ? nil : rules.onRefusal
        let isLast = policy?.limit.map { refusals >= Int($0) } ?? false
        if let policy, policy.uploadsAnew, refusal == .locked {
            actions.append(.abandonUpload(cursor(index)))
            (hasBegun, pause) = (false, .retry)
            return fireRetry(isOpen: true, session)
        }
        if let policy, !isLast, refusal != .permanent || policy.retriesPermanent {
            (refusals, pause) = (refusals + 1, .retry)
            return
        }
        actions.append(.giveUp(cursor(index)))
        (refusals, pause, hasBegun) = (0, .none, false)
        (base, handed) = (max(base, index + 1), max(handed, index + 1))
        actions.append(.sendAgain(ConnectionSlot(0), from: cursor(index + 1), upTo: Cursor(.max)))
        guard rules.retention != .nothing, !isHolding else { return }
        handOver(upTo: produced(session), isNew: false, session)
    }

    mutating func trigger(_ trigger: RefusalPolicy.Triggers, isOpen: Bool, _ session: Session) {
        if isTriggered(trigger) { fireRetry(isOpen: isOpen, session) }
    }

    mutating func fireRetry(isOpen: Bool, _ session: Session) {
        guard pause == .retry else { return }
        pause = .none
        guard isOpen, !asksOffset(session) else { return }
        forgetPassed(session)
        let first = max(base, acknowledged(session))
        let isLast = first >= produced(session)
        actions.append(
            .sendAgain(ConnectionSlot(0), from: cursor(first), upTo: cursor(isLast ? produced(session) : first + 1)))
        guard !isLast else { return }
        actions.append(.send(ConnectionSlot(0), from: cursor(first), upTo: cursor(first + 1)))
        (handed, pause) = (first + 1, .alone)
    }

    private mutating func asksOffset(_ session: Session) -> Bool {
        guard rules.chunk != nil, hasBegun, pause == .none, max(base, acknowledged(session)) < produced(session)
        else { return false }
        pause = .offset
        actions.append(.askOffset(ConnectionSlot(0)))
        return true
    }

    mutating func stateOffset(_ session: Session) {
        guard let chunk = rules.chunk, pause == .offset else { return }
        (pause, hasBegun) = (.none, false)
        let first = cursor(max(base, acknowledged(session)))
        actions.append(.sendAgain(ConnectionSlot(0), from: first, upTo: Cursor(.max)))
        actions.append(.resumeMessage(ConnectionSlot(0), first, chunk: chunk))
        if !isHolding { handOver(upTo: produced(session), isNew: false, session) }
    }

    /// Messages that may be the next one at the server: sent, and neither confirmed nor dropped.
    func sent(_ session: Session) -> [Int] {
        let first = max(base, acknowledged(session))
        return first < handed ? (first..<handed).filter { index in !refused.contains { $0.contains(index) } } : []
    }

    func isLike(_ queue: MessageQueue, _ state: MessageQueue.State, _ session: Session) -> Bool {
        queue.isHolding(session) == isHolding && Int(state.base.position) == base
            && Int(state.handedOver.position) == handed && Int(state.waitingBytes) == waitingBytes
            && Int(state.refusedCount) == refused.map(\.count).reduce(0, +)
            && Int(queue.count(state, session)) == max(count(session), 0)
            && Int(state.refusals) == refusals && (state.hold == .none) == (pause == .none)
            && queue.isAwaitingRetry(state) == (pause == .retry) && state.hasBegun == hasBegun
            && session.isArmed(TimerSlot(11)) == (pause == .retry && rules.onRefusal?.backoff != nil)
    }

    mutating func fireBatch(isOpen: Bool, _ session: Session) {
        isHolding = false
        if isOpen { handOver(upTo: produced(session), isNew: false, session) }
    }

    private mutating func refuse(_ index: Int) {
        actions.append(.refuse(from: cursor(index), upTo: cursor(index + 1)))
        if let group = refused.firstIndex(where: { $0.max() == index - 1 }) {
            refused[group].insert(index)
        } else if let group = refused.firstIndex(where: \.isEmpty) {
            refused[group] = [index]
        } else {
            refused[3].formUnion((refused[3].max() ?? index)...index)
        }
    }

    private mutating func forgetPassed(_ session: Session) {
        for group in 0..<4 {
            guard let first = refused[group].min(), let last = refused[group].max() else { continue }
            guard last < base || first <= acknowledged(session) else { continue }
            base = max(base, last + 1)
            handed = max(handed, base)
            refused[group] = []
        }
    }

    private func nextRefused() -> Set<Int>? {
        refused.filter { $0.max().map { handed <= $0 } ?? false }.min { $0.min() ?? 0 < $1.min() ?? 0 }
    }

    private mutating func handOver(upTo end: Int, isNew: Bool, _ session: Session) {
        guard pause == .none else { return }
        forgetPassed(session)
        if let hole = nextRefused(), let first = hole.min(), let last = hole.max() {
            if handed < first { return send(handed, min(first, end)) }
            guard isNew || acknowledged(session) >= first else { return }
            handed = last + 1
        }
        send(handed, min(nextRefused()?.min() ?? end, end))
    }

    private mutating func send(_ from: Int, _ end: Int, moves: Bool = true) {
        guard from < end else { return }
        actions.append(.send(ConnectionSlot(0), from: cursor(from), upTo: cursor(end)))
        guard moves else { return }
        handed = end
        guard rules.removal == .sent else { return }
        base = max(base, end)
        actions.append(.forget(below: cursor(end)))
    }
}
