import DeadzoneBase
import DeadzoneClient
@testable import DeadzoneSimulator
import DeadzoneTransport

/// The client transport, driven by hand. The other end is a bare kernel that sends only what the test lets it send.
final class PhoneEndHarness {
    private let trafficPlan: UnsafeMutablePointer<TrafficPlan>
    private let rules: UnsafeMutablePointer<PhoneEndSettings>
    private let unopened: UnsafeMutablePointer<UnopenedConnection>
    private var table: ConnectionConfigTable
    private var effects = EffectQueue<PhoneEndEffect>()
    var phone: PhoneEnd
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var runs = true
    private(set) var now = Instant.zero
    /// The server's kernel for slot 0.
    var peer = TCPEnd()
    /// Packets of the phone that were not carried to the server yet.
    private(set) var outgoing: [Packet] = []
    private(set) var events: [Event] = []
    private(set) var entries: [JournalEntry] = []
    private(set) var closedAt = Instant.never
    private(set) var otherEffects: [PhoneEndEffect] = []

    init(
        _ traffic: Traffic = Traffic(), _ settings: PhoneEndSettings? = nil,
        _ server: ServerConnectionSettings = .plain,
        kernel: Kernel = .linux
    ) {
        trafficPlan = .allocate(capacity: 1)
        trafficPlan.initialize(to: TrafficPlan(traffic, seed: 1))
        rules = .allocate(capacity: 1)
        rules.initialize(to: settings ?? PhoneEndSettings(resolver: nil, intake: ReceivePolicy(), holdsCredit: false))
        table = ConnectionConfigTable(kernel, server)
        unopened = .allocate(capacity: 1)
        unopened.initialize(to: UnopenedConnection(table.placeholder))
        phone = PhoneEnd(unused: unopened, trafficPlan, rules)
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    deinit {
        unopened.deinitialize(count: 1).deallocate()
        rules.deinitialize(count: 1).deallocate()
        trafficPlan.deinitialize(count: 1).deallocate()
    }

    private var permissions: AppPermissions { AppPermissions(runs: runs, mayUseNetwork: true) }
    private var downward: UnsafePointer<TCPRules> { table.config(of: transport).downward }
    private var upward: UnsafePointer<TCPRules> { phone[0].upward }
    private var transport = Transport(.webSocket)
    var view: SessionView { SessionView(session, received: 0) }
    var belief: ClientConnection.ConnectionBelief { phone[0].belief }
    func count(_ kind: RecordKind) -> Int { entries.count { $0.kind == kind } }

    // MARK: Operations

    func setTime(_ moment: Instant) { now = moment }

    /// Calls one function of the client transport and drains its effects.
    @discardableResult
    func act<Result>(_ verb: (inout PhoneEnd, AppPermissions, SessionView, inout EffectQueue<PhoneEndEffect>) -> Result)
        -> Result
    {
        let result = verb(&phone, permissions, view, &effects)
        drainEffects()
        return result
    }

    /// The strategy requests a connection; its first packets wait to be carried.
    func startConnection(_ transport: Transport = Transport(.webSocket)) {
        self.transport = transport
        let (config, network) = (table.config(of: transport), session.network)
        phone.renew(0, config, resuming: .fresh, over: network.path ?? .wifi, addressNumber: network.handle)
        act { [now] in $0.connect(0, at: now, $2, &$3) }
    }

    /// Opens a connection with a session on the server.
    func open(_ transport: Transport = Transport(.webSocket)) {
        startConnection(transport)
        exchangePackets()
        for flight in 0...table.config(of: transport).setup(isResuming: false).sessionFlight { send(.flight, flight) }
    }

    /// Carries the phone's packets to the server's kernel and the answers back, until no packet is left.
    func exchangePackets() {
        while !outgoing.isEmpty {
            let packet = outgoing.removeFirst()
            var down = OutgoingPackets()
            switch packet.content {
            case .hello: peer.accept(packet, at: now, downward, &down)
            case .reset: peer.close()
            default:
                _ = peer.receive(packet, at: now, downward, trafficPlan.pointee.down)
                while phone.nextFrameRange(0, upTo: peer.expected) != nil {}
            }
            peer.flush(at: now, downward, trafficPlan.pointee.down, &down)
            for index in 0..<down.count { receive(down[index]) }
        }
    }

    /// Loses all packets that the phone has sent.
    func dropPackets() { outgoing = [] }

    /// The server sends one frame, and the phone receives it.
    func send(_ track: FrameKind, _ item: UInt32, bytes: UInt32 = 100) {
        _ = peer.write(track, item, bytes: bytes, cause: .payload, downward)
        var down = OutgoingPackets()
        peer.flush(at: now, downward, trafficPlan.pointee.down, &down)
        for index in 0..<down.count { receive(down[index]) }
        exchangePackets()
    }

    func receive(_ packet: Packet) {
        act { [now] in $0.receive(packet, 0, $1, at: now, $2, &$3) }
    }

    /// Advances the phone's clock until its kernel has no timer before `end`; no packet is carried.
    func runTimers(until end: Instant) {
        while phone.deadline(0) <= end {
            now = max(now, phone.deadline(0))
            act { [now] in $0.expire(0, $1, at: now, &$3) }
        }
        now = end
    }

    // MARK: Effects

    private func drainEffects() {
        let asked = effects.begin()
        for index in asked {
            let step = effects[index]
            switch step {
            case .note(let note):
                entries.append(note)
                if note.kind == .closed { closedAt = now }
            case .notify(let event): events.append(event)
            case .transmit(let packet, _, _, _, _): outgoing.append(packet)
            case .read(let slot): read(slot)
            case .received(let slot, let run): phone.didConsume(run, slot, permissions)
            default: otherEffects.append(step)
            }
            if effects.hasMore { drainEffects() }
        }
        effects.end(asked)
    }

    private func read(_ slot: Int) {
        while phone.reads(slot), let run = peer.readNext(upTo: phone.expected(slot), downward, trafficPlan.pointee.down)
        {
            switch run.kind {
            case .flight:
                phone.readFlight(
                    run.first, slot, isProven: true, resumedAt: 0, confirmed: 0, permissions, at: now, view,
                    &effects)
            case .control:
                phone.read(
                    word: run.first, slot, lastStream: 0, seen: 0, arrived: 0, permissions, view, &effects)
            case .refusal: phone.readRefusal(of: run.first, CallRefusal(.unavailable), slot, &effects)
            default: phone.read(run, slot, permissions, at: now, view, &effects)
            }
            drainEffects()
        }
        phone.flush(slot, at: now, &effects)
    }
}

extension ServerConnectionSettings {
    static let plain = ServerConnectionSettings(
        quicIdle: .seconds(30), sendBuffer: 4 << 20, authenticates: false, allowsMigration: true, sendsReceipts: false)
}

extension TrafficStream {
    static func every(_ gap: TimeSpan, bytes: Int64) -> TrafficStream {
        TrafficStream(gap: .constant(gap.nanoseconds), size: .constant(bytes), until: .zero + .hours(1))
    }
}
