import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// A server without a phone. A test hands it packets and frames, and compares the complete list of its requests.
final class ServerBench {
    private let profile: StableValue<ServerProfile>
    private let traffic: StableValue<TrafficPlan>
    private let unopened: StableValue<UnopenedServerEnd>
    private var table: ConnectionConfigTable
    private var effects = EffectQueue<ServerEffect>()
    private var generation: UInt16 = 0
    var server: Server
    var now = Instant.zero
    var introduction = Introduction(epoch: 0, keysMessages: true)

    /// Requests of the server since the last `take`, one line each.
    private(set) var lines: [String] = []
    private(set) var packets: [Packet] = []
    private(set) var submitted: [ClusterRequest] = []

    init(_ streams: Traffic = Traffic(), seed: UInt64 = 1, _ set: (inout ServerProfile) -> Void = { _ in }) {
        var settings = ServerProfile()
        set(&settings)
        profile = StableValue(settings)
        traffic = StableValue(TrafficPlan(streams, seed: seed))
        table = ConnectionConfigTable(.xnu, settings.connectionConfig)
        unopened = StableValue(UnopenedServerEnd(table.placeholder, profile.pointer))
        server = Server(profile.pointer, unused: unopened.pointer, traffic.pointer)
    }

    func config(_ transport: Transport) -> UnsafePointer<ConnectionConfig> { table.config(of: transport) }
    func dice(_ purpose: Purpose) -> Dice { traffic.pointer.pointee.dice(purpose) }

    /// Calls the server and applies its effects.
    @discardableResult
    func act<Result>(_ body: (inout Server, inout EffectQueue<ServerEffect>) -> Result) -> Result {
        let result = body(&server, &effects)
        drain()
        return result
    }

    /// Returns the requests since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Runs a step and returns only its own requests.
    func taking(_ step: () -> Void) -> [String] {
        lines = []
        step()
        return take()
    }

    func wait(_ span: TimeSpan) { now += span }

    // MARK: The phone's side

    func renew(
        _ transport: Transport = .webSocket, _ slot: Int = 0, resuming: ResumeRequest = .fresh,
        window: HTTP2SendWindows? = nil
    ) {
        generation += 1
        server.renew(
            slot, generation: generation,
            ConnectionRequest(
                table.config(of: transport), resuming: resuming, from: PhoneAddress(.wifi, addressNumber: 0),
                window: window))
    }

    func receive(
        _ packet: Packet, _ slot: Int = 0, generation: UInt16? = nil,
        from address: PhoneAddress = PhoneAddress(.wifi, addressNumber: 0)
    ) {
        let generation = generation ?? server.ends[slot].generation
        act { [now, introduction] in
            $0.receive(packet, slot: slot, generation: generation, from: address, at: now, introduction, &$1)
        }
    }

    func hello(_ slot: Int = 0) { receive(Packet(.hello, cause: .connect, bytes: 60, stamp: now), slot) }

    /// The server's program reads frames, and finishes reading.
    @discardableResult
    func read(
        _ kind: FrameKind, _ first: UInt32, upTo last: UInt32? = nil, bytes: UInt32 = 100, _ slot: Int = 0,
        visit: UInt64 = 0
    ) -> Bool {
        let run = FrameRange(first: first, last: last ?? first + 1, bytes: bytes, kind: kind, cause: .payload)
        let goesOn = act { [now, introduction] in
            $0.read(run, slot: slot, visit: visit, introduction, at: now, &$1)
        }
        if goesOn { act { [now] in $0.finishReading(slot, .newData, at: now, &$1) } }
        return goesOn
    }

    func read(_ frame: ControlFrame, _ slot: Int = 0) { read(frame.kind, frame.item, slot) }

    /// Requests the session with all flights of the set-up.
    func request(_ slot: Int = 0) {
        for index in 0...server.ends[slot].setup.sessionFlight { read(.flight, index, slot) }
    }

    /// Opens a connection with a session, and lets the phone acknowledge the set-up. Discards the requests.
    func open(
        _ transport: Transport = .webSocket, _ slot: Int = 0, resuming: ResumeRequest = .fresh,
        window: HTTP2SendWindows? = nil
    ) {
        renew(transport, slot, resuming: resuming, window: window)
        hello(slot)
        request(slot)
        settle(slot)
        lines = []
    }

    /// The phone reads and acknowledges everything that was sent. Discards the requests that this causes.
    func settle(_ slot: Int = 0) {
        let before = lines
        _ = frames(slot)
        while server.ends[slot].tcp.acknowledged < server.ends[slot].tcp.highestSent {
            var packet = Packet(.acknowledgement, cause: .ack, bytes: Wire.tcp, stamp: now)
            packet.received = server.ends[slot].tcp.highestSent
            receive(packet, slot)
            _ = frames(slot)
        }
        lines = before
    }

    /// Returns the frames that the server has written since the last call, whether they were sent or not.
    func ranges(_ slot: Int = 0) -> [FrameRange] {
        var found: [FrameRange] = []
        while let range = server.nextFrameRange(slot, upTo: .max) { found.append(range) }
        return found
    }

    func frames(_ slot: Int = 0) -> [String] { ranges(slot).map(\.text) }

    // MARK: Other calls

    func write() { act { [now] in $0.write(at: now, nil, &$1) } }
    func expire(_ slot: Int = 0) { act { [now] in $0.expire(slot, at: now, &$1) } }
    @discardableResult
    func change(_ change: ServerChange) -> Bool { act { [now] in $0.apply(change, at: now, &$1) } }
    func abandon(_ slot: Int = 0) { act { [now] in $0.abandonConnection(slot, at: now, &$1) } }
    func deadline(_ slot: Int = 0) -> Instant { server.deadline(slot) }

    /// The cluster decides the oldest request that is pending. The sync window ends at `windowEnd`.
    func decide(_ outcome: Cluster.ServiceOutcome, windowEnd: Instant? = nil) {
        let request = submitted.removeFirst()
        act { [now, introduction] in
            $0.applyOutcome(outcome, of: request, windowEnd: windowEnd ?? now, introduction, at: now, &$1)
        }
    }

    /// Runs work that the server has scheduled. Returns `true` if the send buffer had no room.
    @discardableResult
    func run(_ work: DeferredWork, _ slot: Int = 0, generation: UInt16? = nil) -> Bool {
        let generation = generation ?? server.ends[slot].generation
        return act { [now, introduction] in
            $0.runDeferredWork(to: work, slot, generation, introduction, at: now, &$1)
        }
    }

    // MARK: Effects

    private func drain() {
        let batch = effects.begin()
        for index in batch {
            let effect = effects[index]
            switch effect {
            case .flushed(let slot): server.updateAfterFlush(slot, at: now, &effects)
            case .submit(let request): submitted.append(request)
            case .transmit(let packet, _, let slot, let generation, _):
                packets.append(packet)
                #expect(generation == server.ends[slot].generation)
            case .schedule(_, _, let slot, let generation): #expect(generation == server.ends[slot].generation)
            case .announcePending: server.announcePendingMessages(&effects)
            default: break
            }
            if let text = effect.text(at: now) { lines.append(text) }
            if effects.hasMore { drain() }
        }
        effects.end(batch)
    }
}

extension ServerBench {
    /// Message number at which a client with this cursor resumes now.
    func position(of cursor: UInt32) -> UInt32? {
        server.resumePosition(for: .from(Cursor(cursor)), introduction, at: now)
    }

    var windows: [Int64] {
        [
            server.ends[0].tcp.sendWindows?.connection.bytes ?? -1,
            server.ends[0].tcp.sendWindows?.stream.bytes ?? -1,
        ]
    }
}

extension Traffic {
    /// A message of 100 bytes each second in each direction, and a call each second that is answered with 200 bytes.
    static var everySecond: Traffic {
        let stream = TrafficStream(gap: .constant(1_000_000_000), size: .constant(100), until: .zero + .hours(1))
        return Traffic(down: stream, up: stream, calls: stream, answer: .constant(200))
    }
}
