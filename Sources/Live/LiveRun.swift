import struct DeadzoneCaptures.IPAddress
import DeadzoneFit
public import DeadzoneHost
public import DeadzoneJournal
import DeadzoneNetwork
public import DeadzonePrimitives
import DeadzoneServer
import DeadzoneWorld

/// A world around real programs, in real time: namespaces for the phone and the server, the road between them, and the timeline.
public struct LiveRun: ~Copyable {
    /// From the start of the server's program to something that listens.
    static let longestStart = TimeSpan.seconds(20)
    /// From the death of the app's process to the next. Assumed: what a phone takes to start an app.
    static let relaunch = TimeSpan.seconds(1)
    /// What a program has to end in, once it was asked.
    static let grace = TimeSpan.seconds(5)
    /// As many packets are taken at once.
    private static let batch = 64

    enum Role: Int { case client, server }

    let plan: LivePlan
    let sandbox: Sandbox
    /// Nil: the client is a program of this run.
    private let gateway: Gateway?
    private var guest = Guest()
    var road: Road
    /// Nil: the scenario has no operating system.
    let phone: LivePhone?
    var course = LiveCourse()
    private var moments: [(at: Instant, index: Int)] = []
    var due = DueHeap<Deed>()
    private var began: Stopwatch?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var talks = [AppTalk(), AppTalk()]
    private var up = MessageBook()
    private var down = MessageBook()
    var isRunning = [false, false]
    var isOver = false
    let say: ([UInt8]) -> Void

    /// What is put off to a moment.
    enum Deed: Sendable {
        case launch(Role), killUnlessEnded(Role)
    }

    /// - Parameters:
    ///   - gateway: behind it is a real phone, which is the client.
    ///   - say: is told what the programs say that is for people.
    public init(_ plan: LivePlan, gateway: Gateway? = nil, say: @escaping ([UInt8]) -> Void) throws(SystemFault) {
        self.plan = plan
        self.say = say
        // A real phone has an operating system of its own.
        phone = gateway != nil ? nil : plan.world.platform.map { LivePhone($0, standing: plan.standing) }
        let names = [LivePlan.serverName] + plan.forwards.map(\.name)
        road = Road(plan.world, seed: plan.seed, phone: PhoneID(0))
        road.names = plan.world.resolver.map { NameServer($0, names: names, server: LivePlan.serverAddress) }
        let dice = Moments(seed: plan.seed, phone: PhoneID(0))
        for (index, entry) in plan.world.timeline.enumerated() {
            if let at = entry.moment(dice) { moments.append((at, index)) }
        }
        self.gateway = gateway
        var programs = [Sandbox.Program(plan.client.isEmpty ? ["true"] : plan.client, at: .phone)]
        if let server = plan.server {
            programs.append(Sandbox.Program(["/bin/sh", "-c", "exec \(server)"], at: .server))
        }
        sandbox = try Sandbox(
            programs, forwards: plan.forwards.map(\.forward), gateway: gateway, server: LivePlan.serverAddress.own,
            hosts: Self.hosts(road.names == nil ? names : [], hasIPv6: plan.namesHaveIPv6),
            resolver: Self.resolver(road.names?.resolver))
    }

    deinit { buffer.deallocate() }

    /// - Parameter names: that stand there.
    private static func hosts(_ names: [String], hasIPv6: Bool) -> String {
        let server = LivePlan.serverAddress.texts
        let lines = (hasIPv6 ? [server[1], server[0]] : [server[0]]).map { "\($0) \(names.joined(separator: " "))\n" }
        return "127.0.0.1 localhost\n::1 localhost\n" + (names.isEmpty ? "" : lines.joined())
    }

    /// The libraries of Linux count in whole seconds, and take no more than 30 of them and five attempts (resolv.conf(5)). It stands
    /// there by its IPv4 address alone: a second one would be asked after the first, and double what a scenario says.
    private static func resolver(_ resolver: Resolver?) -> String {
        let server = "nameserver \(NameServer.address.texts[0])\n"
        guard let resolver else {
            return "# deadzone: \(LivePlan.serverName) stands in /etc/hosts\n\(server)options timeout:2 attempts:1\n"
        }
        let seconds = min(max(1, (resolver.timeout.nanoseconds + 999_999_999) / 1_000_000_000), 30)
        return "\(server)options timeout:\(seconds) attempts:\(min(max(1, resolver.attempts), 5))\n"
    }

    // MARK: The run

    /// Ends with the scenario, with the client, or when somebody wants it stopped.
    /// - Parameter progress: is told at most ten times a second.
    public mutating func run(
        isStopped: () -> Bool, progress: (LiveMoment) -> Void
    ) throws(SystemFault) -> (course: LiveCourse, records: [Record]) {
        if plan.server != nil {
            sandbox.launch(Role.server.rawValue)
            isRunning[Role.server.rawValue] = true
            if !sandbox.serverListens(within: Self.longestStart, unless: isStopped) {
                course.notes.append("nothing of the server listened before the run began")
            }
        }
        began = Stopwatch()
        enactChanges(upTo: Instant.zero)
        if gateway == nil { launch(.client) }
        var shown = TimeSpan.longest
        while !isOver, !isStopped(), now() < plan.world.horizon {
            try step()
            let at = now() - Instant.zero
            if shown == .longest || shown + .milliseconds(100) <= at {
                shown = at
                progress(moment(at))
            }
        }
        course.isComplete = !isStopped()
        return finish()
    }

    private mutating func step() throws(SystemFault) {
        let next = min(
            min(road.nextDue, moments.first?.at ?? .never, due.next), phone?.dueAt ?? .never, plan.world.horizon)
        let ready = sandbox.wait(atMost: min(next - now(), .milliseconds(100)))
        for device in ready.devices { take(from: device) }
        enactChanges(upTo: now())
        road.advance(to: max(road.now, now()))
        deliver()
        for program in ready.outputs { listen(to: program) }
        if ready.hasNews { try hearEndings() }
        while due.next <= now(), let deed = due.removeFirst() { perform(deed) }
    }

    /// Nothing is later than the end of the world: a run that ends late is as long as its simulated twin.
    func now() -> Instant { min(Instant.zero + (began?.elapsed ?? TimeSpan.zero), plan.world.horizon) }

    private mutating func take(from device: Sandbox.Device) {
        for _ in 0..<Self.batch {
            let count = sandbox.read(device, into: buffer)
            guard count > 0 else { return }
            let at = now()
            enactChanges(upTo: at)
            road.advance(to: max(road.now, at))
            guard let packet = Datagram(Array(buffer[..<count])), !packet.isNeighbourTalk else { continue }
            switch device {
            case .server: road.answer(packet)
            case .gateway: sendOfGuest(packet)
            case .wifi, .cellular: road.send(packet)
            }
            deliver()
        }
    }

    private mutating func sendOfGuest(_ packet: Datagram) {
        guard let gateway, !gateway.isOwn(UInt32(truncatingIfNeeded: packet.destination.bits)) else { return }
        let home = road.ports.first { $0.address != nil && !$0.isFading } ?? road.ports.first { $0.address != nil }
        let packets = guest.outward(packet, by: home?.address)
        if packet.source == guest.address { gateway.answer() }
        for packet in packets { road.send(packet) }
    }

    private mutating func deliver() {
        guard road.hasArrived else { return }
        for (packet, side, due) in road.takeArrived() {
            let device: Sandbox.Device
            switch side {
            case .server: device = .server
            case .phone(let interface):
                device = interface.device
                phone?.wake(for: .payload, at: due)
                obeyPhone()
                if road.isClosed { continue }
            }
            write(packet, to: device)
            course.packetsLate.add(max(.zero, now() - due))
        }
    }

    /// A real phone has one device.
    func write(_ packet: Datagram, to device: Sandbox.Device) {
        guard gateway != nil, device != .server else {
            return packet.bytes.withUnsafeBytes { sandbox.write($0, to: device) }
        }
        guest.inward(packet)?.bytes.withUnsafeBytes { sandbox.write($0, to: .gateway) }
    }

    /// The changes of the timeline that are due, each at its own moment on the road.
    private mutating func enactChanges(upTo limit: Instant) {
        while let (at, index) = moments.first, at <= limit {
            moments.removeFirst()
            if road.now < at { road.advance(to: at) }
            deliver()
            let change = plan.world.timeline[index].change
            let tookEffect = enact(change)
            course.changesLate.add(max(.zero, now() - at))
            road.watch.changed(index, tookEffect: tookEffect, at: road.now)
            // Whose push has a phone to come to is told when it is there.
            if !change.isPush || phone == nil { runHooks(change.row.text) }
        }
        phone?.advance(to: limit)
        obeyPhone()
        servePush()
    }

    private func moment(_ at: TimeSpan) -> LiveMoment {
        LiveMoment(
            at: at, next: moments.first.map { ($0.at, plan.world.timeline[$0.index].change.row.text) },
            attempts: road.watch.flows.count { $0.attempts > 0 })
    }

    private mutating func finish() -> (course: LiveCourse, records: [Record]) {
        let end = min(max(road.now, now()), plan.world.horizon)
        phone?.finish(at: max(road.now, end))
        obeyPhone()
        road.finish(at: max(road.now, end))
        for role in isRunning.indices where isRunning[role] { sandbox.signal(role, .end) }
        for program in plan.server == nil ? [0] : [0, 1] { listen(to: program) }
        finishMessages(at: road.now)
        course.length = road.now - Instant.zero
        course.flows = road.watch.flows
        course.packets = road.watch.packets
        course.scripts = road.scripts
        course.unkept = road.watch.unkept
        course.lines = road.watch.book.lines.map {
            ("\($0.name.server.text):\($0.name.serverPort)", $0.line)
        }
        course.attempts = LiveAttempt.all(of: road.watch.flows)
        return (course, road.watch.records)
    }

    // MARK: Programs

    mutating func launch(_ role: Role) {
        if role == .server { road.watch.pathIsBack(at: road.now) }
        sandbox.launch(role.rawValue)
        isRunning[role.rawValue] = true
        if role == .client, phone?.isStanding == true { sandbox.signal(role.rawValue, .stop) }
    }

    private mutating func perform(_ deed: Deed) {
        switch deed {
        case .launch(let role):
            launch(role)
            if role == .client { road.watch.journal(.relaunched, at: road.now) }
        case .killUnlessEnded(let role): if isRunning[role.rawValue] { sandbox.signal(role.rawValue, .kill) }
        }
    }

    private mutating func hearEndings() throws(SystemFault) {
        while let ending = try sandbox.nextEnding() {
            guard let role = Role(rawValue: ending.program) else { continue }
            isRunning[ending.program] = false
            if wanted.contains(role) {
                wanted.removeAll { $0 == role }
                due.insert(.launch(role), at: role == .client ? now() + Self.relaunch : now())
            } else if role == .client, !isAway {
                course.clientCode = ending.code
                listen(to: ending.program)
                isOver = true
            } else if role == .server, !isServerDown {
                course.notes.append("the server's program ended by itself with \(ending.code)")
            }
        }
    }

    /// Programs that are started again once they have ended.
    var wanted: [Role] = []
    /// The user has ended the app, and has not started it again.
    var isAway = false
    var isServerDown = false

    private mutating func listen(to program: Int) {
        let bytes = sandbox.output(of: program)
        guard !bytes.isEmpty else { return }
        let (words, text) = talks[program].hear(bytes)
        if !text.isEmpty { say(text) }
        for word in words { hear(word, of: program == 0 ? .client : .server) }
    }

    private mutating func hear(_ word: AppTalk.Word, of role: Role) {
        let at = max(road.now, min(now(), plan.world.horizon))
        switch (word, role) {
        case (.sent(let number), .client):
            if up.send(number, at: at) { road.watch.journal(.sentUp, value: number, at: at) }
        case (.seen(let number), .server):
            course.hearsMessages.up = true
            if up.wasSeen(number) {
                road.watch.journal(.duplicatedUp, value: 1, at: at)
            } else if let span = up.see(number, at: at) {
                road.watch.journal(.deliveredUp, value: span.nanoseconds, at: at)
            }
        case (.acked(let number), .client):
            course.hearsMessages.acknowledgements = true
            if let span = up.age(of: number, at: at) {
                road.watch.journal(.acknowledgedUp, value: span.nanoseconds, at: at)
            }
        case (.sent(let number), .server):
            if down.send(number, at: at) { road.watch.journal(.sentDown, value: number, at: at) }
        case (.seen(let number), .client):
            course.hearsMessages.down = true
            if down.wasSeen(number) {
                road.watch.journal(.duplicatedDown, value: 1, at: at)
            } else if let span = down.see(number, at: at) {
                road.watch.journal(.deliveredDown, value: span.nanoseconds, at: at)
            }
        case (.lost, .client): road.watch.appKnows(at: at)
        default: break
        }
    }

    private mutating func finishMessages(at end: Instant) {
        for (book, isHeard, lost, pending, waited) in [
            (up, course.hearsMessages.up, Kind.lostUp, Kind.pendingUp, Kind.waitedUp),
            (down, course.hearsMessages.down, .lostDown, .pendingDown, .waitedDown),
        ] where isHeard {
            let missing = book.missing(at: end)
            road.watch.journal(lost, value: missing.lost, at: end)
            road.watch.journal(pending, value: Int64(missing.pending.count), at: end)
            for span in missing.pending { road.watch.journal(waited, value: span.nanoseconds, at: end) }
        }
    }
}

/// How far a run has come.
public struct LiveMoment: Sendable {
    public let at: TimeSpan
    public let next: (at: Instant, what: String)?
    public let attempts: Int
}
