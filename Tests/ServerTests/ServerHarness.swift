import DeadzoneBase
import DeadzoneClient
@testable import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// A server connected directly to the kernel of one phone, without a network: each packet arrives at once.
final class ServerHarness {
    private let profile: UnsafeMutablePointer<ServerProfile>
    private let trafficPlan: UnsafeMutablePointer<TrafficPlan>
    private let unopened: UnsafeMutablePointer<UnopenedServerEnd>
    private var table: ConnectionConfigTable
    private var config: UnsafePointer<ConnectionConfig>
    var server: Server
    var client = TCPEnd()
    private var effects = EffectQueue<ServerEffect>()
    private(set) var now = Instant.zero
    private var generation: UInt16 = 0

    /// Effects that the server has requested.
    private(set) var entries: [JournalEntry] = []
    private(set) var down: [Packet] = []
    private var receivedCount = 0
    private(set) var deferredWork: [(matter: DeferredWork, at: Instant)] = []
    private(set) var readFrames: [FrameRange] = []
    /// Requests that the shared instances have yet to decide, and the time at which each packet left.
    private(set) var clusterRequests: [ClusterRequest] = []
    private(set) var departureTimes: [Instant] = []

    init(_ traffic: Traffic = Traffic(), _ set: (inout ServerProfile) -> Void = { _ in }) {
        var settings = ServerProfile()
        set(&settings)
        profile = .allocate(capacity: 1)
        profile.initialize(to: settings)
        trafficPlan = .allocate(capacity: 1)
        trafficPlan.initialize(to: TrafficPlan(traffic, seed: 1))
        // The phone's acknowledgements are not delayed.
        table = ConnectionConfigTable(.xnu, settings.connectionConfig)
        config = table.placeholder
        unopened = .allocate(capacity: 1)
        unopened.initialize(to: UnopenedServerEnd(config, profile))
        server = Server(profile, unused: unopened, trafficPlan)
    }

    deinit {
        unopened.deinitialize(count: 1).deallocate()
        trafficPlan.deinitialize(count: 1).deallocate()
        profile.deinitialize(count: 1).deallocate()
    }

    private var introduction: Introduction { Introduction(epoch: 0, keysMessages: true) }
    var isHeld: Bool { server.isHeld(0) }
    var isAttached: Bool { server.isAttached(0) }
    var serves: Bool { server.serves(0) }
    var resumedAt: UInt32 { server.start(0).resumedAt }
    var arrived: UInt32 { server.arrived.index }
    var deadline: Instant { server.deadline(0) }
    var isClosed: Bool { client.phase == .closed }
    func count(_ kind: RecordKind) -> Int { entries.count { $0.kind == kind } }

    func advance(_ span: TimeSpan) { now += span }

    /// The phone opens a connection and requests its session.
    func open(_ transport: Transport = .webSocket, resuming: ResumeRequest = .fresh) {
        generation += 1
        config = table.config(of: transport)
        server.abandonConnection(0, at: now, &effects)
        drainEffects()
        server.renew(
            0, generation: generation,
            ConnectionRequest(config, resuming: resuming, from: PhoneAddress(.wifi, addressNumber: 0)))
        // The phone ignores packets of an earlier connection.
        receivedCount = down.count
        var out = OutgoingPackets()
        client.connect(at: now, config.upward, &out)
        exchange(out)
        guard client.phase == .open else { return }
        let setup = config.setup(isResuming: resuming != .fresh)
        for index in 0...setup.sessionFlight { send(.flight, index, bytes: setup.flight(index).up) }
    }

    /// Sends one frame from the phone.
    func send(_ track: FrameKind, _ item: UInt32, bytes: UInt32 = 100) {
        let isWritten = client.write(track, item, bytes: bytes, cause: .payload, config.upward)
        #expect(isWritten)
        flush()
    }

    func flush() {
        var out = OutgoingPackets()
        client.flush(at: now, config.upward, trafficPlan.pointee.up, &out)
        exchange(out)
    }

    func change(_ change: ServerChange) -> Bool {
        let applied = server.apply(change, at: now, &effects)
        drainEffects()
        return applied
    }

    func write() {
        server.write(at: now, nil, &effects)
        drainEffects()
    }

    /// Serves the first pending cluster request at `at`; the sync window ends now.
    func serve(at: Instant) {
        let arrival = clusterRequests.removeFirst()
        server.applyOutcome(.served(at: at, by: 0), of: arrival, windowEnd: now, introduction, at: now, &effects)
        drainEffects()
    }

    func expire() {
        server.expire(0, at: now, &effects)
        drainEffects()
    }

    /// Exchanges packets in both directions until there are none left.
    private func exchange(_ packets: borrowing OutgoingPackets) {
        var up = (0..<packets.count).map { packets[$0] }
        repeat {
            while receivedCount < down.count {
                receivedCount += 1
                up += receive(down[receivedCount - 1])
            }
            guard !up.isEmpty else { return }
            server.receive(
                up.removeFirst(), slot: 0, generation: generation, from: PhoneAddress(.wifi, addressNumber: 0), at: now,
                introduction,
                &effects)
            drainEffects()
        } while true
    }

    private func receive(_ packet: Packet) -> [Packet] {
        var out = OutgoingPackets()
        switch packet.content {
        case .reset: client.close()
        case .helloReply: _ = client.established(by: packet, at: now, config.upward)
        default:
            _ = client.receive(packet, at: now, config.upward, trafficPlan.pointee.up)
            while let run = server.nextFrameRange(0, upTo: client.expected) { readFrames.append(run) }
        }
        client.flush(at: now, config.upward, trafficPlan.pointee.up, &out)
        return (0..<out.count).map { out[$0] }
    }

    private func drainEffects() {
        let asked = effects.begin()
        for index in asked {
            switch effects[index] {
            case .note(let note): entries.append(note)
            case .transmit(let packet, _, _, _, let sentAt):
                down.append(packet)
                departureTimes.append(sentAt)
            case .submit(let arrival): clusterRequests.append(arrival)
            case .schedule(let matter, let at, _, _): deferredWork.append((matter, at))
            case .thaw(let slot): effects.append(.read(slot: slot, .thaw(wasHeldBack: client.isBlockedByReceiver)))
            case .flushed(let slot): server.updateAfterFlush(slot, at: now, &effects)
            case .read(let slot, let reading): read(slot, reading)
            case .announcePending: server.announcePendingMessages(&effects)
            case .connectionReleased, .connectionChanged, .attached, .sessionResumed, .sessionRestarted,
                .messageWritten, .uplinkSkipped, .datagramsReceived, .push, .subscriptionsChanged,
                .transmitSystemPacket, .captured:
                break
            }
            if effects.hasMore { drainEffects() }
        }
        effects.end(asked)
    }

    private func read(_ slot: Int, _ reading: ReadTrigger) {
        while server.isReading(slot),
            let run = client.readNext(upTo: server.expected(slot), config.upward, trafficPlan.pointee.up)
        {
            guard server.read(run, slot: slot, visit: 0, introduction, at: now, &effects) else { return }
            if effects.hasMore { drainEffects() }
        }
        server.finishReading(slot, reading, at: now, &effects)
    }
}
