import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneServer
import DeadzoneTransport
import Testing

/// A server and the kernel of one phone, with nothing between them: what one says, the other hears at once.
final class Meeting {
    private let profile: UnsafeMutablePointer<ServerProfile>
    private let said: UnsafeMutablePointer<Conversation>
    private let unopened: UnsafeMutablePointer<UnopenedEnd>
    private var table: TermsTable
    private var terms: UnsafePointer<Terms>
    var server: Server
    var client = TCPEnd()
    private var steps = Steps<ServerStep>()
    private(set) var now = Instant.zero
    private var generation: UInt16 = 0

    /// What it has asked for so far.
    private(set) var notes: [Note] = []
    private(set) var down: [Packet] = []
    private var heard = 0
    private(set) var later: [(matter: Matter, at: Instant)] = []
    private(set) var taken: [Run] = []
    /// What the instances that all phones share have yet to decide, and when each packet left.
    private(set) var arrivals: [Arrival] = []
    private(set) var leftAt: [Instant] = []

    init(_ traffic: Traffic = Traffic(), _ set: (inout ServerProfile) -> Void = { _ in }) {
        var settings = ServerProfile()
        set(&settings)
        profile = .allocate(capacity: 1)
        profile.initialize(to: settings)
        said = .allocate(capacity: 1)
        said.initialize(to: Conversation(traffic, seed: 1))
        // Acknowledgements of the phone do not wait.
        table = TermsTable(.xnu, settings.terms)
        terms = table.any
        unopened = .allocate(capacity: 1)
        unopened.initialize(to: UnopenedEnd(terms, profile))
        server = Server(profile, unused: unopened, said)
    }

    deinit {
        unopened.deinitialize(count: 1).deallocate()
        said.deinitialize(count: 1).deallocate()
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
    func count(_ kind: Kind) -> Int { notes.count { $0.kind == kind } }

    func pass(_ span: TimeSpan) { now += span }

    /// The phone opens a connection and asks for its session.
    func open(_ carrier: Carrier = .webSocket, resuming: Resuming = .fresh) {
        generation += 1
        terms = table.place(of: carrier)
        server.leaveGhost(0, at: now, &steps)
        settle()
        server.renew(0, generation: generation, Opening(terms, resuming: resuming, from: Address(.wifi, epoch: 0)))
        // What was said to the connection before this one, the phone does not take for this one's.
        heard = down.count
        var out = Departures()
        client.connect(at: now, terms.upward, &out)
        exchange(out)
        guard client.phase == .open else { return }
        let setup = terms.setup(isResuming: resuming != .fresh)
        for index in 0...setup.session { say(.flight, index, bytes: setup.flight(index).up) }
    }

    /// The phone says one thing.
    func say(_ track: Track, _ item: UInt32, bytes: UInt32 = 100) {
        let isWritten = client.write(track, item, bytes: bytes, cause: .payload, terms.upward)
        #expect(isWritten)
        flush()
    }

    func flush() {
        var out = Departures()
        client.flush(at: now, terms.upward, said.pointee.up, &out)
        exchange(out)
    }

    func change(_ change: ServerChange) -> Bool {
        let applied = server.apply(change, at: now, &steps)
        settle()
        return applied
    }

    func write() {
        server.write(at: now, &steps)
        settle()
    }

    /// The first of them is served then; the round ends now.
    func serve(at: Instant) {
        let arrival = arrivals.removeFirst()
        server.hear(.served(at: at, by: 0), of: arrival, roundEnd: now, introduction, at: now, &steps)
        settle()
    }

    func expire() {
        server.expire(0, at: now, &steps)
        settle()
    }

    /// Both ways, until nobody has anything to say.
    private func exchange(_ packets: borrowing Departures) {
        var up = (0..<packets.count).map { packets[$0] }
        repeat {
            while heard < down.count {
                heard += 1
                up += hear(down[heard - 1])
            }
            guard !up.isEmpty else { return }
            server.receive(
                up.removeFirst(), slot: 0, generation: generation, from: Address(.wifi, epoch: 0), at: now,
                introduction,
                &steps)
            settle()
        } while true
    }

    private func hear(_ packet: Packet) -> [Packet] {
        var out = Departures()
        switch packet.content {
        case .goodbye: client.close()
        case .helloReply: _ = client.established(by: packet, at: now, terms.upward)
        default:
            _ = client.receive(packet, at: now, terms.upward, said.pointee.up)
            while let run = server.take(0, upTo: client.expected) { taken.append(run) }
        }
        client.flush(at: now, terms.upward, said.pointee.up, &out)
        return (0..<out.count).map { out[$0] }
    }

    private func settle() {
        let asked = steps.begin()
        for index in asked {
            switch steps[index] {
            case .note(let note): notes.append(note)
            case .leave(let packet, _, _, _, let sentAt):
                down.append(packet)
                leftAt.append(sentAt)
            case .queue(let arrival): arrivals.append(arrival)
            case .later(let matter, let at, _, _): later.append((matter, at))
            case .thaw(let slot): steps.append(.read(slot: slot, .thaw(wasHeldBack: client.isHeldBack)))
            case .flushed(let slot): server.noteFlushed(slot, at: now, &steps)
            case .read(let slot, let reading): read(slot, reading)
            case .announcePending: server.lookForPending(&steps)
            case .left, .changed, .attached, .goesOn, .beginsAnew, .wrote, .passedUp, .cameUp, .push: break
            }
            if steps.hasMore { settle() }
        }
        steps.end(asked)
    }

    private func read(_ slot: Int, _ reading: Reading) {
        while server.isReading(slot), let run = client.take(upTo: server.expected(slot), terms.upward, said.pointee.up)
        {
            guard server.read(run, slot: slot, visit: 0, introduction, at: now, &steps) else { return }
            if steps.hasMore { settle() }
        }
        server.finishReading(slot, reading, at: now, &steps)
    }
}
