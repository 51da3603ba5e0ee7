import DeadzoneClient
import DeadzoneJournal
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// The phone's end of its connections by hand: the other end is a bare kernel, and says what a test lets it say.
final class Desk {
    private let said: UnsafeMutablePointer<Conversation>
    private let rules: UnsafeMutablePointer<PhoneEndRules>
    private let unopened: UnsafeMutablePointer<UnopenedLine>
    private var table: TermsTable
    private var steps = Steps<PhoneEndStep>()
    var phone: PhoneEnd
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var runs = true
    private(set) var now = Instant.zero
    /// The server's kernel, of slot 0.
    var peer = TCPEnd()
    /// Packets of the phone that nobody has carried yet.
    private(set) var up: [Packet] = []
    private(set) var events: [Event] = []
    private(set) var notes: [Note] = []
    private(set) var closedAt = Instant.never
    private(set) var asks: [PhoneEndStep] = []

    init(
        _ traffic: Traffic = Traffic(), _ settings: PhoneEndRules? = nil, _ server: ServerTerms = .plain,
        kernel: Kernel = .linux
    ) {
        said = .allocate(capacity: 1)
        said.initialize(to: Conversation(traffic, seed: 1))
        rules = .allocate(capacity: 1)
        rules.initialize(to: settings ?? PhoneEndRules(resolver: nil, intake: Intake(), holdsCredit: false))
        table = TermsTable(kernel, server)
        unopened = .allocate(capacity: 1)
        unopened.initialize(to: UnopenedLine(table.any))
        phone = PhoneEnd(unused: unopened, said, rules)
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    deinit {
        unopened.deinitialize(count: 1).deallocate()
        rules.deinitialize(count: 1).deallocate()
        said.deinitialize(count: 1).deallocate()
    }

    private var leave: Leave { Leave(runs: runs, mayTalk: true) }
    private var downward: UnsafePointer<TCPRules> { table.place(of: carrier).downward }
    private var upward: UnsafePointer<TCPRules> { phone[0].upward }
    private var carrier = Carrier(.webSocket)
    var view: SessionView { SessionView(session, received: 0) }
    var belief: Line.Belief { phone[0].belief }
    func count(_ kind: Kind) -> Int { notes.count { $0.kind == kind } }

    // MARK: Verbs

    func at(_ moment: Instant) { now = moment }

    /// One verb of the phone's end, and what follows from it.
    @discardableResult
    func act<Result>(_ verb: (inout PhoneEnd, Leave, SessionView, inout Steps<PhoneEndStep>) -> Result) -> Result {
        let result = verb(&phone, leave, view, &steps)
        settle()
        return result
    }

    /// The strategy wants a connection; its first packets wait to be carried.
    func setOut(_ carrier: Carrier = Carrier(.webSocket)) {
        self.carrier = carrier
        let (terms, network) = (table.place(of: carrier), session.network)
        phone.renew(0, terms, resuming: .fresh, over: network.path ?? .wifi, epoch: network.handle)
        act { [now] in $0.setOut(0, at: now, $2, &$3) }
    }

    /// A connection that the server has taken, session and all.
    func open(_ carrier: Carrier = Carrier(.webSocket)) {
        setOut(carrier)
        carry()
        for flight in 0...table.place(of: carrier).setup(isResuming: false).session { say(.flight, flight) }
    }

    /// What the phone has sent reaches the server's kernel, and what that answers the phone, until both are silent.
    func carry() {
        while !up.isEmpty {
            let packet = up.removeFirst()
            var down = Departures()
            switch packet.content {
            case .hello: peer.accept(packet, at: now, downward, &down)
            case .goodbye: peer.close()
            default:
                _ = peer.receive(packet, at: now, downward, said.pointee.down)
                while phone.take(0, upTo: peer.expected) != nil {}
            }
            peer.flush(at: now, downward, said.pointee.down, &down)
            for index in 0..<down.count { hear(down[index]) }
        }
    }

    /// What the phone has sent is lost.
    func lose() { up = [] }

    /// The server says one thing, and the phone hears it.
    func say(_ track: Track, _ item: UInt32, bytes: UInt32 = 100) {
        _ = peer.write(track, item, bytes: bytes, cause: .payload, downward)
        var down = Departures()
        peer.flush(at: now, downward, said.pointee.down, &down)
        for index in 0..<down.count { hear(down[index]) }
        carry()
    }

    func hear(_ packet: Packet) {
        act { [now] in $0.receive(packet, 0, $1, at: now, $2, &$3) }
    }

    /// The phone's clock goes on until its kernel has nothing to wait for, or a test has seen enough; nothing is carried.
    func waitInVain(until end: Instant) {
        while phone.deadline(0) <= end {
            now = max(now, phone.deadline(0))
            act { [now] in $0.expire(0, $1, at: now, &$3) }
        }
        now = end
    }

    // MARK: What it asks for

    private func settle() {
        let asked = steps.begin()
        for index in asked {
            let step = steps[index]
            switch step {
            case .note(let note):
                notes.append(note)
                if note.kind == .closed { closedAt = now }
            case .tell(let event): events.append(event)
            case .leave(let packet, _, _, _, _): up.append(packet)
            case .read(let slot): read(slot)
            case .received(let slot, let run): phone.took(run, slot, leave)
            default: asks.append(step)
            }
            if steps.hasMore { settle() }
        }
        steps.end(asked)
    }

    private func read(_ slot: Int) {
        while phone.reads(slot), let run = peer.take(upTo: phone.expected(slot), downward, said.pointee.down) {
            switch run.track {
            case .flight:
                phone.readFlight(
                    run.first, slot, isProven: true, resumedAt: 0, confirmed: 0, leave, at: now, view,
                    &steps)
            case .control: phone.read(word: run.first, slot, lastStream: 0, seen: 0, leave, &steps)
            case .refusal: phone.readRefusal(of: run.first, CallRefusal(.unavailable), slot, &steps)
            default: phone.read(run, slot, leave, at: now, view, &steps)
            }
            settle()
        }
        phone.flush(slot, at: now, &steps)
    }
}

extension ServerTerms {
    static let plain = ServerTerms(
        quicIdle: .seconds(30), sendBuffer: 4 << 20, authenticates: false, allowsMigration: true, saysReceipts: false)
}

extension TrafficStream {
    static func every(_ gap: TimeSpan, bytes: Int64) -> TrafficStream {
        TrafficStream(gap: .constant(gap.nanoseconds), size: .constant(bytes), until: .zero + .hours(1))
    }
}
