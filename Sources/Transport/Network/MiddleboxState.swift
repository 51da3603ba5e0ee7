package import DeadzoneBase

/// The state of all middleboxes on a path for one connection: its mappings, and if packets still pass.
package struct MiddleboxState: Sendable, BitwiseCopyable {
    private var mappings = MiddleboxMappings()
    /// Identifies the connection's current addresses, to which the mappings belong. Assigned by the owner; zero before
    /// the first packet.
    private var address: UInt64 = 0
    /// Time at which the first mapping expires if no packet passes before; `.never` if there is none.
    package private(set) var endsAt = Instant.never
    package private(set) var status = MiddleboxMappings.MappingStatus.intact

    package init() {}

    /// Sends a packet with this address through the boxes. Mappings of another address are discarded.
    /// - Parameter opensConnection: `true` if the packet requests a new connection.
    /// - Returns: `isBlocked` only for the first packet with this address that a box blocks, `vanishes` for later ones.
    package mutating func cross(
        _ direction: Direction, under address: UInt64, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool,
        opensConnection: Bool,
        at now: Instant
    ) -> MiddleboxMappings.CrossingResult {
        if self.address != address {
            self = MiddleboxState()
            self.address = address
        }
        let wasCut = status == .cut
        defer { refresh(path, isUDP: isUDP) }
        let crossing = mappings.cross(
            direction, path.pointee, isUDP: isUDP, opensConnection: opensConnection, at: now)
        return crossing == .isBlocked && wasCut ? .vanishes : crossing
    }

    /// Removes the first mapping that has expired by `now`, and returns the index of its box. `nil` if none has
    /// expired.
    package mutating func expire(at now: Instant, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) -> Int? {
        defer { refresh(path, isUDP: isUDP) }
        return mappings.expire(at: now, path.pointee, isUDP: isUDP)
    }

    /// Removes the mapping in a box that has lost its state, for example in a restart. Returns `false` if the box had
    /// no mapping for this connection.
    package mutating func forget(_ index: Int, _ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) -> Bool {
        // A connection without a mapping in the box keeps its status: no box has cut it off.
        guard mappings.forget(index) else { return false }
        refresh(path, isUDP: isUDP)
        return true
    }

    private mutating func refresh(_ path: UnsafePointer<MiddleboxPath>, isUDP: Bool) {
        endsAt = mappings.nextExpiry(path.pointee, isUDP: isUDP)
        status = mappings.status(path.pointee, isUDP: isUDP)
    }
}
