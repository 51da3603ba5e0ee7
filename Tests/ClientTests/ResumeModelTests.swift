import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares `Resume`, `PathReaction` and the Bloom filter with plain second versions under random events.
@Suite struct ResumeModelTests {
    /// The rules of `Resume` without its Bloom filter; `nil` means that nothing is due.
    private struct ReferenceResume {
        let rules: Resume
        var (expected, stored, confirmed) = (UInt32(0), UInt32(0), UInt32(0))
        var (shownFrom, shownUpTo) = (UInt32(0), UInt32(0))
        var (showAt, storeAt, confirmAt): (Instant?, Instant?, Instant?)
        var lostAt: Instant?
        var (needsResync, isOpen) = (false, false)
        var snapshot = Resume.State.SnapshotState.none
        var actions: [Action]

        init(_ rules: Resume, after actions: [Action] = []) { (self.rules, self.actions) = (rules, actions) }

        static let connection = ConnectionSlot(0)
        var due: Instant? { [showAt, storeAt, confirmAt].compactMap { $0 }.min() }

        func request(_ session: Session) -> ResumeRequest {
            guard rules.retention != .nothing else { return .fresh }
            if let window = rules.window, let lostAt, session.now > lostAt + window { return .snapshot }
            if rules.handshake == .sequences { return .from(session.acknowledged) }
            return .from(rules.storesBeforeShowing ? max(session.cursor, Cursor(shownUpTo)) : session.cursor)
        }

        mutating func start(_ session: Session) {
            self = ReferenceResume(rules, after: actions)
            stored = session.persisted.position
            if rules.retention == .persisted, session.persistedAt != .never { lostAt = session.persistedAt }
        }

        mutating func open(at cursor: UInt32) {
            (expected, confirmed, lostAt, isOpen) = (cursor, cursor, nil, true)
            if needsResync { actions.append(.resync(Self.connection)) }
            needsResync = false
        }

        mutating func respond(_ answer: ResumeResponse, isOpen: Bool, _ session: Session) -> Cursor? {
            expected = answer.next.position
            snapshot = answer.bringsSnapshot ? .promised : .none
            if answer.next > session.cursor, !answer.bringsSnapshot, rules.onGap == .mark {
                actions.append(.markGap(.down))
            }
            if answer.next > session.cursor, !answer.bringsSnapshot, rules.onGap == .resync {
                snapshot = .requested
                if isOpen { actions.append(.resync(Self.connection)) } else { needsResync = true }
            }
            return rules.handshake == .sequences ? min(answer.sent, session.produced) : nil
        }

        mutating func lose(_ session: Session) {
            if isOpen {
                lostAt = session.now
                if rules.retention == .persisted, rules.window != nil { actions.append(.persist(Cursor(stored))) }
            }
            (isOpen, confirmAt, needsResync, snapshot) = (false, nil, false, .none)
        }

        mutating func receive(_ end: UInt32, _ session: Session) {
            let first = expected
            if snapshot == .promised, end >= first { snapshot = .none }
            expected = max(first, end)
            if rules.storesBeforeShowing { store(end, session) }
            if let batch = rules.acknowledgeBatch, confirmed < end {
                if end - confirmed >= batch.every {
                    (confirmed, confirmAt) = (end, nil)
                    actions.append(.acknowledge(Self.connection, Cursor(end)))
                } else {
                    confirmAt = min(confirmAt ?? .never, session.now + batch.within)
                }
            }
            guard rules.showDelay == .zero else {
                if showAt == nil { (showAt, shownFrom) = (session.now + rules.showDelay, first) }
                return shownUpTo = max(shownUpTo, end)
            }
            show(first, end, session)
        }

        private mutating func show(_ first: UInt32, _ end: UInt32, _ session: Session) {
            let again = min(end, session.cursor.position)
            if rules.deduplication == .nothing, first < again {
                actions.append(.deliverAgain(from: Cursor(first), upTo: Cursor(again)))
            }
            actions.append(.deliver(Cursor(end)))
            if !rules.storesBeforeShowing { store(end, session) }
        }

        private mutating func store(_ end: UInt32, _ session: Session) {
            guard rules.retention == .persisted, end > stored else { return }
            if end - stored >= rules.storeBatch.every {
                (stored, storeAt) = (end, nil)
                actions.append(.persist(Cursor(end)))
            } else {
                storeAt = min(storeAt ?? .never, session.now + rules.storeBatch.within)
            }
        }

        mutating func fire(isConnected: Bool, _ session: Session) {
            if let at = showAt, at <= session.now {
                showAt = nil
                show(shownFrom, shownUpTo, session)
            }
            if let at = storeAt, at <= session.now {
                storeAt = nil
                stored = rules.storesBeforeShowing ? max(session.cursor.position, expected) : session.cursor.position
                actions.append(.persist(Cursor(stored)))
            }
            if let at = confirmAt, at <= session.now, isConnected {
                (confirmAt, confirmed) = (nil, expected)
                actions.append(.acknowledge(Self.connection, Cursor(expected)))
            }
        }
    }

    private func rules(_ draw: (UInt64) -> Int) -> Resume {
        func batch() -> Resume.Batch { Resume.Batch(every: UInt32(1 + draw(5)), within: .milliseconds(Int64(draw(8)))) }
        var resume = Resume(Resume.CursorRetention.allCases[draw(3)])
        resume.handshake = draw(4) == 0 ? .sequences : .received
        resume.deduplication = draw(2) == 0 ? .cursor : .nothing
        resume.onGap = Resume.GapAction.allCases[draw(3)]
        resume.storesBeforeShowing = draw(2) == 0
        resume.storeBatch = batch()
        resume.acknowledgeBatch = draw(2) == 0 ? batch() : nil
        resume.window = draw(2) == 0 ? .milliseconds(Int64(draw(12))) : nil
        resume.showDelay = draw(2) == 0 ? .zero : .milliseconds(Int64(1 + draw(6)))
        return resume
    }

    /// A resume policy and its model, with the same events.
    private struct Driver {
        let resume: Resume
        var model: ReferenceResume
        var state = Resume.State()
        var session: Session
        var dice: Dice
        var log: [Action] = []

        init(_ resume: Resume, _ dice: Dice) {
            (self.resume, self.dice) = (resume, dice)
            model = ReferenceResume(resume)
            session = Session(random: dice)
        }

        mutating func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
        private mutating func cursor(_ below: UInt64) -> Cursor { Cursor(UInt32(draw(below))) }

        mutating func step() {
            session.now += .milliseconds(Int64(draw(4)))
            session.acknowledged = cursor(9)
            var out = Outbox()
            switch draw(10) {
            case 0:
                let at = cursor(20)
                resume.opened(ReferenceResume.connection, at: at, &state, &out)
                model.open(at: at.position)
            case 1:
                let answer = ResumeResponse(
                    sent: cursor(30), received: .start, next: cursor(30), bringsSnapshot: draw(3) == 0)
                session.produced = cursor(30)
                let isOpen = draw(2) == 0
                let done = resume.resumeResponded(
                    answer, over: ReferenceResume.connection, isOpen: isOpen, &state, session, &out)
                #expect(done == model.respond(answer, isOpen: isOpen, session))
            case 2:
                resume.lost(&state, &session, &out)
                model.lose(session)
                checkTimer()
            case 3...6:
                let end = UInt32(max(Int(state.expected.position) + draw(5) - 1, 0))
                resume.received(Cursor(end), over: ReferenceResume.connection, &state, &session, &out)
                model.receive(end, session)
                checkTimer()
            case 7 where draw(6) == 0:
                session.persisted = cursor(20)
                session.persistedAt = draw(2) == 0 ? .never : session.now
                resume.started(&state, session)
                model.start(session)
                #expect(state.filterFrom == session.cursor)
            default:
                let isConnected = draw(2) == 0
                resume.fired(over: isConnected ? ReferenceResume.connection : nil, &state, &session, &out)
                model.fire(isConnected: isConnected, session)
                checkTimer()
            }
            log += (0..<out.count).map { out[$0] }
            for case .deliver(let cursor) in log.suffix(out.count) { session.cursor = max(session.cursor, cursor) }
        }

        /// Broken: a timer stays armed although nothing is due, or is armed for another time.
        private func checkTimer() {
            let timer = session.isArmed(resume.slot) ? session.timers[resume.slot].at : nil
            #expect(timer == model.due || (model.due ?? .never) < session.now && timer != nil)
        }

        var isSame: Bool {
            let passed = model.snapshot == .none ? Cursor(model.expected) : nil
            // Opening, resuming and starting do not arm the timer.
            let timer = session.isArmed(resume.slot) ? session.timers[resume.slot].at : nil
            if let due = model.due, let timer, timer != due, session.now < due { return false }
            return log.count == model.actions.count && log.suffix(9) == model.actions.suffix(9)
                && state.stored == Cursor(model.stored)
                && state.lastAcknowledged == Cursor(model.confirmed) && resume.receivedUpTo(state) == passed
                && resume.passedOnUpTo(state) == (model.showAt == nil ? passed : nil)
                && resume.resuming(state, session) == model.request(session)
        }
    }

    /// Broken: a message is shown, stored or acknowledged at another time, or a client resumes from another position.
    @Test func resumesByItsRules() {
        var kinds: [String: Int] = [:]
        seedSweep(400) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let resume = rules { Int(dice.next().scaled(below: $0)) }
            var driver = Driver(resume, dice)
            for step in 0..<60 {
                driver.step()
                let (log, expected) = (driver.log.suffix(3), driver.model.actions.suffix(3))
                #expect(driver.isSame, "seed \(seed), step \(step): \(log) or \(expected) by \(resume)")
                guard driver.isSame else { return }
            }
            for action in driver.log { kinds["\(action)".prefix { $0 != "(" }.description, default: 0] += 1 }
        }
        for kind in ["deliver", "deliverAgain", "persist", "acknowledge", "resync", "markGap"] {
            #expect(kinds[kind, default: 0] > 100, "\(kinds)")
        }
    }

    /// A path reaction and a list of its pending notifications, with the same events.
    private struct PathDriver {
        let path: PathReaction
        var state = PathReaction.State()
        var session: Session
        var dice: Dice
        var (known, due) = (NetworkView(), Instant?.none)
        var pending: [(isConditional: Bool, reaction: PathReaction.Reaction)] = []
        var (found, expected) = (PathReaction.Reaction.ignore, PathReaction.Reaction.ignore)

        init(_ path: PathReaction, _ dice: Dice) {
            (self.path, self.dice) = (path, dice)
            session = Session(random: dice)
        }

        mutating func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }

        private var isOther: Bool {
            switch path.comparison {
            case .handle: session.network.path != known.path || session.network.handle != known.handle
            case .category: Reachability(session.network).category != Reachability(known).category
            case .nothing: true
            }
        }

        /// The strongest pending reaction that applies now; nothing is pending afterwards.
        private mutating func strongest() -> PathReaction.Reaction {
            defer { (pending, due) = ([], nil) }
            return pending.filter { !$0.isConditional || isOther }.map(\.reaction).max() ?? .ignore
        }

        private mutating func add(_ reaction: PathReaction.Reaction, isConditional: Bool) {
            pending.append((isConditional, reaction))
            if path.debounce == .zero { expected = strongest() } else { due = session.now + path.debounce }
        }

        mutating func step() {
            session.now += .milliseconds(Int64(draw(3)))
            session.network = NetworkView(path: [nil, .wifi, .cellular][draw(3)], handle: UInt16(draw(2)))
            (session.network.isBlocked, session.network.needsConnection) = (draw(5) == 0, draw(5) == 0)
            (found, expected) = (.ignore, .ignore)
            switch draw(8) {
            case 0...3:
                let kind = NetworkChange.NetworkEventKind.allCases[draw(8)]
                found = path.networkChanged(NetworkChange(kind, of: .wifi, now: nil), &state, &session)
                guard path[kind] != .ignore || due != nil else { return }
                add(path[kind], isConditional: kind == .available || kind == .lost)
            case 4:
                found = path.networkBecameUsable(&state, &session)
                add(.hurry, isConditional: false)
            case 5:
                path.began(&state, session)
                known = session.network
            case 6 where draw(3) == 0:
                path.parked(&state, &session)
                (pending, due) = ([], nil)
            default:
                guard let at = due, at <= session.now else { return }
                session.disarm(path.slot)
                found = path.debounceFired(&state, session)
                expected = strongest()
            }
        }

        var isSame: Bool {
            found == expected && path.networkHasChanged(state, session) == isOther
                && (session.isArmed(path.slot) ? session.timers[path.slot].at : nil) == due
        }
    }

    /// Broken: a notification causes a reaction too early, too late or not at all. Or a weaker one replaces a stronger.
    @Test func reactsToTheStrongestNotification() {
        var reactions: [PathReaction.Reaction: Int] = [:]
        let words: [PathReaction.Reaction] = [.ignore, .hurry, .probe, .migrate, .drop, .reconnect]
        seedSweep(500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            var path = PathReaction(slot: TimerSlot(4))
            for kind in NetworkChange.NetworkEventKind.allCases { path[kind] = words[draw(2) * draw(6)] }
            path.comparison = [.handle, .category, .nothing][draw(3)]
            path.debounce = .milliseconds(Int64(draw(2) * draw(6)))
            let all = NetworkChange.NetworkEventKind.allCases.map { path[$0] }
            #expect(path.reacts == all.contains { $0 != .ignore } && path.migrates == all.contains(.migrate))
            var driver = PathDriver(path, dice)
            for step in 0..<40 {
                driver.step()
                #expect(driver.isSame, "seed \(seed), step \(step)")
                reactions[driver.found, default: 0] += 1
            }
        }
        #expect(reactions.count == 6 && reactions.values.allSatisfy { $0 > 20 }, "\(reactions)")
    }

    /// Broken: the filter reports another number as present than a filter that keeps its bits.
    @Test func filtersLikeASetOfBits() {
        var errors = 0
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> UInt32 { UInt32(dice.next().scaled(below: below)) }
            let filter = BloomFilter(bits: 8 + draw(200), hashes: UInt8(1 + draw(6)))
            let (first, count) = (draw(50), draw(40))
            func bits(_ key: UInt32) -> [UInt64] {
                let words = Philox.block(key: seed, counter: (UInt64(key), 0))
                return (0..<UInt64(filter.hashes)).map {
                    (words.0 &+ $0 &* (words.1 | 1)).scaled(below: UInt64(filter.bits))
                }
            }
            let held = Set((first..<first + count).flatMap(bits))
            for key in 0..<140 as Range<UInt32> {
                let expected = bits(key).allSatisfy(held.contains)
                #expect(filter.contains(key, from: first, upTo: first + count, salt: seed) == expected, "seed \(seed)")
                if expected, !(first..<first + count).contains(key) { errors += 1 }
            }
        }
        #expect(errors > 200)
    }
}
