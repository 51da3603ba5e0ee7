import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@Suite struct SystemLawTests {
    private func network() -> NetworkRules {
        NetworkRules(linger: .zero, validation: .zero, destroysSockets: true, leavesSocketsFrozen: false)
    }

    /// Short times, so that every state occurs within minutes.
    private func android() -> Platform {
        var platform = Platform(name: "android", family: .android, release: 15, networks: network())
        platform.processor.sleeps = true
        platform.processor.packetSpan = .seconds(1)
        platform.processor.alarmSpan = .seconds(2)
        platform.processor.pushSpan = .seconds(3)
        platform.processor.jobSpan = .seconds(4)
        platform.processor.windowSpan = .seconds(5)
        platform.doze.lightInactive = .minutes(1)
        platform.doze.inactive = .minutes(2)
        platform.doze.idleAfterInactive = .minutes(1)
        platform.doze.quickDelay = .seconds(30)
        platform.life.suspendsAfter = .seconds(10)
        platform.life.reclaimsSocketsAfter = .seconds(20)
        platform.life.blocksNetworkAfter = .seconds(5)
        platform.alarms.whileIdle = Quota(1, per: .minutes(9))
        platform.pushes.quota = Quota(2, per: .minutes(5))
        platform.pushes.time = .seconds(10)
        return platform
    }

    private func ios() -> Platform {
        var platform = Platform(name: "ios", family: .ios, release: 18, networks: network())
        platform.processor.sleeps = true
        platform.processor.packetSpan = .seconds(1)
        platform.life.suspendsAfter = .seconds(5)
        platform.life.taskTime = .seconds(30)
        platform.life.taskWarning = .seconds(5)
        platform.life.timeHoldsProcessor = true
        platform.life.refreshEvery = .minutes(3)
        platform.life.refreshTime = .seconds(20)
        platform.pushes.time = .seconds(10)
        platform.pushes.quota = Quota(2, per: .minutes(5))
        return platform
    }

    private func names(_ platform: Platform, _ privileges: AppPrivileges) -> Set<String> {
        var names: Set<String> = []
        seedSweep(60) { seed in
            let driver = SystemDriver(seed, platform, privileges)
            driver.run(30)
            names.formUnion(driver.names)
        }
        return names
    }

    @Test("The effects of Android follow from the phone's state before and after each call")
    func onAndroid() {
        let names = names(android(), AppPrivileges())
        #expect(
            names == [
                "note", "slept", "suspensionChanged", "processEnded", "processStarted", "appRuns", "firewallChanged",
                "reclaimSockets", "retryPush", "visibilityChanged",
            ])
    }

    @Test("The effects of iOS follow from the phone's state before and after each call")
    func onIOS() {
        let names = names(ios(), AppPrivileges(requestsTime: true))
        #expect(
            names == [
                "note", "slept", "suspensionChanged", "processEnded", "processStarted", "appRuns", "notifyApp",
                "retryPush", "visibilityChanged",
            ])
    }
}

@Suite struct StrategyEventQueueTests {
    private func slot(_ index: Int) -> ConnectionSlot { ConnectionSlot(UInt8(index)) }

    private func event(_ kind: Int, _ index: Int, _ value: UInt32) -> Event {
        switch kind {
        case 0: .received(slot(index), upTo: Cursor(value), bytes: value)
        case 1: .acknowledged(slot(index), Cursor(value))
        case 2: .pong(slot(index), after: .seconds(Int64(value)))
        case 3: .stalled(slot(index))
        case 4: .writable(slot(index))
        case 5: .heartbeat(slot(index), every: .seconds(Int64(value)))
        case 6: .fired(TimerSlot(UInt8(index)))
        case 7: .answered(slot(index), call: value)
        default: .network(NetworkChange(.capabilities, of: .wifi, handle: UInt16(value), now: .wifi))
        }
    }

    /// `true` if the later event makes the earlier one redundant.
    private func replaces(_ new: (kind: Int, event: Event), _ old: (kind: Int, event: Event)) -> Bool {
        if new.event == old.event { return true }
        let isAboutSame = new.event.connection != nil && new.event.connection == old.event.connection
        return isAboutSame
            && ((new.kind == old.kind && [0, 1, 2, 5].contains(new.kind)) || Set([new.kind, old.kind]) == [3, 4])
    }

    @Test("The queue of events behaves as an array in every order of calls")
    func array() {
        var (most, oldDropped) = (0, 0)
        seedSweep(150) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
            var queue = StrategyEventQueue(atMost: 40)
            var model: [(kind: Int, event: Event)] = []
            for turn in 0..<120 {
                let new = draw(3) == 0 ? 8 : draw(9)
                let item = (kind: new, event: event(new, draw(2), UInt32(new == 8 ? turn : draw(4))))
                switch draw(12) {
                case 0...2 where model.count < 40:
                    queue.append(item.event)
                    model.append(item)
                case 3...8 where model.count < 40:
                    queue.appendCoalescing(item.event)
                    model.removeAll { replaces(item, $0) }
                    if item.kind == 8 && model.count(where: { $0.kind == 8 }) >= 16 {
                        model.remove(at: model.firstIndex { $0.kind == 8 } ?? 0)
                        oldDropped += 1
                    }
                    model.append(item)
                case 9:
                    let next = queue.next()
                    #expect(next == model.first?.event, "seed \(seed)")
                    if !model.isEmpty { model.removeFirst() }
                case 10 where draw(6) == 0:
                    queue.removeAll(about: slot(0))
                    model.removeAll { $0.event.connection == slot(0) }
                case 11 where draw(12) == 0:
                    queue.removeAll()
                    model = []
                default: break
                }
                most = max(most, model.count)
                let (isEmpty, capacity) = (queue.isEmpty, queue.capacity)
                #expect(isEmpty == model.isEmpty && capacity <= 40 && model.count <= capacity, "seed \(seed)")
            }
            while let next = queue.next() {
                #expect(next == model.first?.event, "seed \(seed)")
                if !model.isEmpty { model.removeFirst() }
            }
            #expect(model.isEmpty, "seed \(seed)")
        }
        #expect(most > 20 && oldDropped > 0, "\(most), \(oldDropped)")
    }

    @Test("The queue allocates nothing at first, then doubles from eight up to its limit")
    func capacities() {
        var queue = StrategyEventQueue(atMost: 20)
        var capacities: [Int] = [queue.capacity]
        for index in 0..<20 {
            queue.append(.fired(TimerSlot(UInt8(index % 12))))
            if queue.capacity != capacities.last { capacities.append(queue.capacity) }
        }
        #expect(capacities == [0, 8, 16, 20])
        for index in 0..<20 {
            let next = queue.next()
            #expect(next == .fired(TimerSlot(UInt8(index % 12))))
        }
        let (isEmpty, next) = (queue.isEmpty, queue.next())
        #expect(isEmpty && next == nil)
    }

    @Test("Of many network changes the queue keeps the last sixteen")
    func networks() {
        var queue = StrategyEventQueue(atMost: 64)
        queue.appendCoalescing(.started)
        for turn in 0..<20 { queue.appendCoalescing(event(8, 0, UInt32(turn))) }
        queue.appendCoalescing(.pushWoken)
        var events: [Event] = []
        while let next = queue.next() { events.append(next) }
        #expect(events == [.started] + (4..<20).map { event(8, 0, UInt32($0)) } + [.pushWoken])
    }
}

@Suite struct OtherAppsTests {
    @Test("Each exchange follows the one before by its own draw of the gap, and the earliest app runs next")
    func schedule() {
        let gaps: [Distribution] = [.uniform(1, 1_000), .uniform(1, 1_000), .constant(700)]
        let cellular = Distribution.uniform(5_000, 9_000)
        let table = PinnedArray(
            (0..<3).map {
                OtherApp(
                    name: "a", gap: gaps[$0], cellularGap: $0 == 0 ? cellular : nil, up: UInt32($0 + 1),
                    down: UInt32($0 + 11), cause: .otherApps, wake: .none)
            })
        var apps = OtherApps(table, seed: 9, phone: PhoneID(0))
        var next = apps.next
        #expect(next.at == .never)
        var model = [Instant](repeating: .never, count: 3)
        var counts = [UInt64](repeating: 0, count: 3)
        func schedule(_ index: Int, on path: Interface?, at now: Instant) {
            let dice = Dice(seed: 9, phone: PhoneID(0), purpose: Purpose.otherApp(index))
            let gap = path == .cellular && index == 0 ? cellular : gaps[index]
            model[index] = now + .nanoseconds(gap.draw(dice.at(counts[index])))
            counts[index] += 1
        }
        apps.begin(on: .cellular, at: .zero)
        for index in 0..<3 { schedule(index, on: .cellular, at: .zero) }
        next = apps.next
        for turn in 0..<60 {
            let (now, index) = (next.at, next.index)
            let path: Interface? = [.wifi, .cellular, nil][turn % 3]
            let request = apps.runNext(on: path, at: now)
            #expect(request.number == UInt16(index) && request.bytes == UInt32(index + 1))
            #expect(apps.response(to: request.number).bytes == UInt32(index + 11))
            schedule(index, on: path, at: now)
            next = apps.next
            let first = model.min() ?? .never
            #expect(next.at == first && next.index == model.firstIndex(of: first), "turn \(turn)")
        }
        #expect(counts.allSatisfy { $0 > 1 })
    }

    @Test("As many other apps as a phone can have draw their own random numbers, and one more would share them")
    func mostApps() {
        let purposes = (0..<OtherApp.most).map { Purpose.otherApp($0) }
        #expect(Set(purposes).count == OtherApp.most)
        #expect(Purpose.otherApp(OtherApp.most) == purposes.last)
    }

    @Test("The system's permission moves an exchange, not the time that the app wished")
    func permission() {
        func table(_ gaps: [Int64]) -> [OtherApp] {
            gaps.map {
                OtherApp(name: "a", gap: .constant($0), up: 1, down: 1, cause: .otherApps, wake: .none)
            }
        }
        let one = PinnedArray(table([100]))
        var apps = OtherApps(one, seed: 1, phone: PhoneID(0))
        apps.begin(on: .wifi, at: .zero)
        for _ in 0..<2 {
            apps.reschedule { $1 + .nanoseconds(7) }
            let next = apps.next
            #expect(next.at == .zero + .nanoseconds(107))
        }
        let restless = PinnedArray(table([0]))
        var always = OtherApps(restless, seed: 1, phone: PhoneID(0))
        always.begin(on: .wifi, at: .zero)
        let soon = always.next
        #expect(soon.at == .zero + .nanoseconds(1))
        let empty = PinnedArray(table([]))
        let none = OtherApps(empty, seed: 1, phone: PhoneID(0)).next
        #expect(none.at == .never && none.index == 0)
    }
}

@Suite struct PushLawTests {
    @Test("A push is sent, waits or is handed over as its last event says, and forgets everything when it ends")
    func states() {
        var service = PushService()
        #expect(PushService.bytes == 374)
        let now = Instant.zero + .seconds(100)
        for isUrgent in [true, false] {
            service.request(isUrgent: isUrgent, at: now)
            #expect(service.nextAction == .send && service.isUrgent == isUrgent && service.due(after: .zero) == .never)
            service.sent()
            #expect(service.nextAction == .nothing)
            // A request does not disturb the push that is on its way, and cannot make it less urgent.
            service.request(isUrgent: false, at: now + .seconds(1))
            #expect(service.nextAction == .nothing && service.isUrgent == isUrgent)
            service.scheduleRepeat(at: now + .seconds(2))
            #expect(service.nextAction == .send && service.due(after: .zero) == now + .seconds(3))
            #expect(service.due(after: now + .seconds(3) - .nanoseconds(1)) == now + .seconds(3))
            #expect(service.due(after: now + .seconds(3)) == .never)
            service.sent()
            #expect(service.due(after: .zero) == .never && service.nextAction == .nothing)
            service.arrive()
            #expect(service.nextAction == .handOver)
            service.sent()
            #expect(service.nextAction == .nothing)
            service.arrive()
            #expect(service.finish(at: now + .seconds(9)) == .seconds(9))
            #expect(service.nextAction == .nothing && !service.isUrgent && service.due(after: .zero) == .never)
            // The next push begins again with the shortest wait.
            service.request(isUrgent: false, at: now)
            service.scheduleRepeat(at: now)
            #expect(service.due(after: .zero) == now + .seconds(1))
            _ = service.finish(at: now)
        }
    }
}
