public import DeadzonePrimitives

/// What the boxes on a path remember of one connection: its mappings, of which of its addresses they are, when the first of them runs
/// out, and what that comes to.
public struct BoxMemory: Sendable, BitwiseCopyable {
    private var mappings = Mappings()
    /// Its owner's to give; zero: of none.
    private var address: UInt64 = 0
    /// When the first mapping runs out if nothing passes.
    public private(set) var endsAt = Instant.never
    public private(set) var standing = Mappings.Standing.whole

    public init() {}

    /// A packet that leaves or comes under this address meets the boxes: what they remember of another one is gone.
    /// - Parameter begins: It asks for a new connection.
    public mutating func cross(
        _ direction: Direction, under address: UInt64, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool, begins: Bool,
        at now: Instant
    ) -> Mappings.Crossing {
        if self.address != address {
            self = BoxMemory()
            self.address = address
        }
        defer { look(path, isUDP: isUDP) }
        return mappings.cross(direction, path.pointee, isUDP: isUDP, begins: begins, at: now)
    }

    /// Forgets the first mapping that has run out, and says in which box.
    public mutating func expire(at now: Instant, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) -> Int? {
        defer { look(path, isUDP: isUDP) }
        return mappings.expire(at: now, path.pointee, isUDP: isUDP)
    }

    /// A box has lost its memory. Returns false if it had none of this connection.
    public mutating func forget(_ place: Int, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) -> Bool {
        // Of who met none of them nothing is looked at: nobody has cut it off.
        guard mappings.forget(place) else { return false }
        look(path, isUDP: isUDP)
        return true
    }

    private mutating func look(_ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) {
        endsAt = mappings.nextExpiry(path.pointee, isUDP: isUDP)
        standing = mappings.standing(path.pointee, isUDP: isUDP)
    }
}
