import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// The phone's side of connections without a server. A test hands it packets and frames, and compares the complete
/// list of its requests.
final class PhoneEndBench {
    private let traffic: StableValue<TrafficPlan>
    private let settings: StableValue<PhoneEndSettings>
    private let unopened: StableValue<UnopenedConnection>
    private var table: ConnectionConfigTable
    private var effects = EffectQueue<PhoneEndEffect>()
    var phone: PhoneEnd
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var received: UInt32 = 0
    var permissions = AppPermissions(runs: true, mayUseNetwork: true)
    var now = Instant.zero

    /// Requests of the phone's side since the last `take`, one line each.
    private(set) var lines: [String] = []
    private(set) var packets: [Packet] = []

    init(
        _ streams: Traffic = .everySecond, kernel: Kernel = .xnu, authenticates: Bool = false, migrates: Bool = true,
        sendsReceipts: Bool = false, resolver: Resolver? = nil, keepsNames: Bool = false,
        intake: ReceivePolicy = ReceivePolicy(), holdsCredit: Bool = false, keepsAddress: Bool = false,
        subscriptions: SubscriptionPolicy? = nil
    ) {
        traffic = StableValue(TrafficPlan(streams, seed: 1))
        settings = StableValue(
            PhoneEndSettings(
                resolver: resolver, keepsNames: keepsNames, intake: intake, holdsCredit: holdsCredit,
                keepsAddress: keepsAddress, subscriptions: subscriptions))
        table = ConnectionConfigTable(
            kernel,
            ServerConnectionSettings(
                quicIdle: .seconds(30), sendBuffer: nil, authenticates: authenticates, allowsMigration: migrates,
                sendsReceipts: sendsReceipts))
        unopened = StableValue(UnopenedConnection(table.placeholder))
        phone = PhoneEnd(unused: unopened.pointer, traffic.pointer, settings.pointer)
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    var view: SessionView { SessionView(session, received: received) }

    /// Calls the phone's side and collects its requests.
    @discardableResult
    func act<Result>(
        _ body: (inout PhoneEnd, AppPermissions, Instant, SessionView, inout EffectQueue<PhoneEndEffect>) -> Result
    ) -> Result {
        let result = body(&phone, permissions, now, view, &effects)
        let batch = effects.begin()
        for index in batch {
            let effect = effects[index]
            if case .transmit(let packet, let interface, let addressNumber, let slot, let generation) = effect {
                packets.append(packet)
                #expect(interface == phone[slot].interface && addressNumber == phone[slot].addressNumber)
                #expect(generation == phone[slot].generation)
            }
            lines.append(effect.text)
        }
        effects.end(batch)
        return result
    }

    /// Runs a step and returns only its own requests.
    func taking(_ step: () -> Void) -> [String] {
        lines = []
        step()
        defer { lines = [] }
        return lines
    }

    func wait(_ span: TimeSpan) { now += span }

    // MARK: The server's side

    func receive(_ packet: Packet, _ slot: Int = 0) {
        act { $0.receive(packet, slot, $1, at: $2, $3, &$4) }
    }

    /// A packet without data that arrives now, and answers a packet sent at `echo`.
    func packet(_ content: Packet.PacketContent, number: UInt16 = 0, echo: Instant = .never) -> Packet {
        var packet = Packet(content, cause: .connect, bytes: 60, number: number, stamp: now)
        packet.echo = echo
        return packet
    }

    func read(
        _ kind: FrameKind, _ first: UInt32, upTo last: UInt32? = nil, bytes: UInt32 = 100, _ slot: Int = 0
    ) {
        let range = FrameRange(first: first, last: last ?? first + 1, bytes: bytes, kind: kind, cause: .payload)
        act { $0.read(range, slot, $1, at: $2, $3, &$4) }
    }

    func read(
        _ frame: ControlFrame, _ slot: Int = 0, lastStream: UInt32 = 0, seen: UInt64 = 0, arrived: UInt32 = 0
    ) {
        act { phone, permissions, _, session, out in
            phone.read(
                word: frame.item, slot, lastStream: lastStream, seen: seen, arrived: arrived, permissions, session,
                &out)
        }
    }

    func readFlight(
        _ index: UInt32, _ slot: Int = 0, isProven: Bool = true, resumedAt: UInt32 = 0, confirmed: UInt32 = 0
    ) {
        act { phone, permissions, now, session, out in
            phone.readFlight(
                index, slot, isProven: isProven, resumedAt: resumedAt, confirmed: confirmed, permissions, at: now,
                session, &out)
        }
    }

    // MARK: The app's side

    func connect(
        _ transport: Transport = .webSocket, _ slot: Int = 0, resuming: ResumeRequest = .fresh,
        choosing choice: NamePolicy.AddressChoice = .ask(orElse: nil), address: UInt16 = 0
    ) {
        phone.renew(
            slot, table.config(of: transport), resuming: resuming, over: session.network.path ?? .wifi,
            addressNumber: session.network.handle, address: address)
        act { $0.connect(slot, choice, at: $2, $3, &$4) }
    }

    /// Opens a connection with a session. The server has acknowledged the set-up. Discards the requests.
    func open(_ transport: Transport = .webSocket, _ slot: Int = 0, resuming: ResumeRequest = .fresh) {
        connect(transport, slot, resuming: resuming)
        if transport.kind == .datagram {
            act { $0.sendDatagrams(slot, resumedAt: 0, $3, &$4) }
        } else {
            receive(packet(.helloReply, echo: now), slot)
            let last = phone[slot].setup.sessionFlight
            for index in 0...last { readFlight(index, slot) }
            flush(slot)
            settle(slot)
        }
        lines = []
    }

    /// The server reads and acknowledges everything that was sent. Discards the requests that this causes.
    func settle(_ slot: Int = 0) {
        let before = lines
        _ = frames(slot)
        flush(slot)
        while phone[slot].tcp.acknowledged < phone[slot].tcp.highestSent {
            acknowledge(slot)
            _ = frames(slot)
        }
        lines = before
    }

    /// The server's kernel acknowledges all data that was sent.
    func acknowledge(_ slot: Int = 0) {
        var packet = packet(.acknowledgement)
        packet.received = phone[slot].tcp.highestSent
        receive(packet, slot)
    }

    func send(_ messages: Range<UInt32>, _ slot: Int = 0) { act { $0.send(messages, slot, at: $2, &$4) } }
    func call(_ index: UInt32, _ slot: Int = 0) { act { _ = $0.sendCall(index, slot, at: $2, &$4) } }
    func addCalls(_ count: Int) { for _ in 0..<count { act { $0.addCall(at: $2, &$4) } } }
    func flush(_ slot: Int = 0) { act { _ = $0.flush(slot, at: $2, &$4) } }
    func expire(_ slot: Int = 0) { act { $0.expire(slot, $1, at: $2, &$4) } }

    /// Returns the frames that the phone has written since the last call, whether they were sent or not.
    func ranges(_ slot: Int = 0) -> [FrameRange] {
        var found: [FrameRange] = []
        while let range = phone.nextFrameRange(slot, upTo: .max) { found.append(range) }
        return found
    }

    func frames(_ slot: Int = 0) -> [String] { ranges(slot).map(\.text) }
}

extension Traffic {
    /// A message of 100 bytes each second in each direction, and a call of 300 bytes each second.
    static var everySecond: Traffic {
        Traffic(
            down: .every(.seconds(1), bytes: 100), up: .every(.seconds(1), bytes: 100),
            calls: .every(.seconds(1), bytes: 300))
    }
}

extension PhoneEndEffect {
    /// One line for each request, as tests compare them.
    var text: String {
        switch self {
        case .note(let note): note.text
        case .notify(let event): event.text
        case .transmit(let packet, _, _, let slot, _): "send \(packet.content) \(slot)"
        case .retryCall(let call, let at, let slot, _):
            "retry \(call) on \(slot) at \((at - Instant.zero).nanoseconds / 1_000_000)"
        case .read(let slot): "read \(slot)"
        case .received(let slot, let range): "received \(slot) \(range.text)"
        case .receivedDatagram(let first, let last, let bytes, let slot): "datagram \(slot) \(first)..<\(last) \(bytes)"
        case .confirmed(let slot, let before): "confirmed \(slot) before \(before)"
        case .receivedSnapshot(let slot, let range): "snapshot \(slot) \(range.first)"
        case .measured(let slot, let span): "measured \(slot) \(span.nanoseconds)"
        case .callSent(let call, let slot): "call \(call) sent on \(slot)"
        case .sessionRejected(let slot, let isPermanent): "rejected \(slot)" + (isPermanent ? " for good" : "")
        default: "\(self)"
        }
    }
}

extension Event {
    fileprivate var text: String {
        switch self {
        case .opened(let slot, let cursor): "opened \(slot.index) at \(cursor.position)"
        case .closed(let slot, let reason): "closed \(slot.index) \(reason)"
        case .failed(let slot, let failure): "failed \(slot.index) \(failure)"
        case .pong(let slot, let span): "pong \(slot.index) after \(span.nanoseconds)"
        case .serverResponded(let slot): "responded \(slot.index)"
        case .answered(let slot, let call): "answered \(slot.index) \(call)"
        case .rejected(let slot, let call, let refusal):
            "rejected \(slot.index) \(call)" + (refusal.isUnprocessed ? " unprocessed" : "")
                + (refusal.isConnectionDraining ? " draining" : "")
        case .goingAway(let slot, let reason): "going away \(slot.index) \(reason)"
        case .received(let slot, let cursor, let bytes): "told \(slot.index) up to \(cursor.position) \(bytes)"
        case .stalled(let slot): "stalled \(slot.index)"
        case .acknowledged(let slot, let cursor): "acknowledged \(slot.index) before \(cursor.position)"
        case .messageRefused(let slot, let cursor, let refusal): "refused \(slot.index) \(cursor.position) \(refusal)"
        case .subscriptions(let slot, let change, let set): "\(change) \(slot.index) \(String(set.bits, radix: 2))"
        case .writable(let slot): "writable \(slot.index)"
        default: "\(self)"
        }
    }
}
