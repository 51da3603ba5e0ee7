public import DeadzoneClient
import DeadzoneJournal
public import DeadzoneNetwork
public import DeadzonePrimitives
public import DeadzoneProtocols
public import DeadzoneTransport

/// The phone's end of its connections: what its kernel and the app's library know of each, the app's calls, and what the phone
/// remembers of the server's name. It receives packets, items that the server has said, wishes of the strategy and the time, and
/// answers with steps. It knows neither the server nor the air, and not whether a connection truly works.
public struct PhoneEnd: ~Copyable {
    @usableFromInline var lines: Slots<Line>
    let said: UnsafePointer<Conversation>
    let rules: UnsafePointer<PhoneEndRules>
    var names = NameCache()
    public internal(set) var calls: CallBook
    /// Calls that failed since the last answer, and when the first of them was wished for.
    var failedInARow: UInt16 = 0
    var callsFailSince = Instant.never
    var lastAnswerAt = Instant.zero
    /// The phone has been connected.
    var wasOpen = false
    static let slots = 0..<ConnectionSlot.count
    private let anchor = Anchor()

    /// - Parameters:
    ///   - unused: Of every slot in which nothing was opened yet.
    ///   - surveyor: Of the ground that its connections lie on; nil: at places of their own.
    public init(
        unused: UnsafeMutablePointer<UnopenedLine>, _ said: UnsafePointer<Conversation>,
        _ rules: UnsafePointer<PhoneEndRules>, on surveyor: Surveyor? = nil
    ) {
        lines = Slots(unused: unused.pointee.place, on: surveyor)
        self.said = said
        self.rules = rules
        calls = CallBook(said.pointee.callCourse)
    }

    // MARK: What there is to know of it

    public subscript(slot: Int) -> Line {
        unsafeAddress { withUnsafePointer(to: &lines[slot]) { $0 } }
    }

    @inline(__always) @inlinable public func deadline(_ slot: Int) -> Instant {
        guard lines[slot].untoldLoss == nil, lines[slot].belief != .closed else { return .never }
        return lines[slot].isQUIC ? deadlineWithPath(slot) : lines[slot].client.deadline
    }

    @usableFromInline func deadlineWithPath(_ slot: Int) -> Instant {
        min(lines[slot].client.deadline, lines[slot].talk.moves.path.dueAt)
    }

    /// When the next step from a name to an address is due.
    public func approachDue(_ slot: Int) -> Instant { lines[slot].approachEnds }

    /// It takes the next item of the server's stream.
    public func reads(_ slot: Int) -> Bool { lines[slot].client.phase == .open }
    /// How far it has that.
    public func expected(_ slot: Int) -> UInt64 { lines[slot].client.expected }

    /// Of the phone's own clock, by which its kernel's timers go off.
    var clockPhase: TimeSpan {
        var dice = said.pointee.dice(.clockPhase)
        return .microseconds(Int64(dice.next().scaled(below: UInt64(Kernel.longestGrain.nanoseconds) / 1_000)))
    }

    @inline(__always)
    func number(_ slot: Int) -> Int64 { Int64(lines[slot].generation) }
    func name(_ slot: Int) -> ConnectionSlot { ConnectionSlot(UInt8(slot)) }

    /// The server's program takes the next item that was said to it.
    public func take(_ slot: Int, upTo expected: UInt64) -> Run? {
        guard lines[slot].client.hasUntaken(expected) else { return nil }
        return lines[slot].client.take(upTo: expected, lines[slot].upward, said.pointee.up)
    }

    /// The server's program sees a call. Returns how often it did so before.
    public mutating func meet(call: UInt32) -> UInt64 { calls.meet(call) }

    // MARK: Asking

    @inline(__always)
    func leave(_ packet: Packet, _ slot: Int, _ out: inout Steps<PhoneEndStep>) {
        out.append(
            .leave(
                packet, lines[slot].interface, epoch: lines[slot].epoch, slot: slot,
                generation: lines[slot].generation))
    }

    @inline(__always)
    func leave(_ packets: borrowing Departures, _ slot: Int, _ out: inout Steps<PhoneEndStep>) {
        for index in 0..<packets.count { leave(packets[index], slot, &out) }
    }

    func sayGoodbye(_ slot: Int, answering packet: Packet? = nil, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        leave(
            Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now, answering: packet), slot,
            &out)
    }

    /// What the phone's kernel can send now leaves. Returns whether anything did.
    @discardableResult
    public mutating func flush(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) -> Bool {
        if !lines[slot].talk.owed.isEmpty { speak(slot) }
        var packets = Departures()
        if !lines[slot].client.isAtRest {
            lines[slot].client.flush(at: now, lines[slot].upward, said.pointee.up, &packets)
            leave(packets, slot, &out)
        }
        if lines[slot].isWaiting || lines[slot].wasWaiting { noteWindow(slot, at: now, &out) }
        return packets.count > 0
    }
}

/// What of a world and of a strategy the phone's end goes by.
public struct PhoneEndRules: Sendable {
    /// Nil: whoever connects has the server's address.
    public var resolver: Resolver?
    /// How the app takes in what comes, and whether its consumer holds windows back.
    public var intake: Intake
    public var holdsCredit: Bool

    public init(resolver: Resolver?, intake: Intake, holdsCredit: Bool) {
        self.resolver = resolver
        self.intake = intake
        self.holdsCredit = holdsCredit
    }
}

/// The place that all slots share on which nothing was opened yet.
public struct UnopenedLine: ~Copyable {
    let place: UnsafeMutablePointer<Line>

    public init(_ terms: UnsafePointer<Terms>) {
        place = .allocate(capacity: 1)
        place.initialize(to: Line(terms))
    }

    deinit {
        precondition(place.pointee.isUntouched, "something was written to a line that nobody opened")
        place.deinitialize(count: 1).deallocate()
    }
}
