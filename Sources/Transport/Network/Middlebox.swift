package import DeadzoneBase

/// A NAT, firewall or load balancer that drops or ends a connection after it was idle for too long. It keeps a mapping
/// for every connection, which expires after a time without packets. Both ends still believe that the connection is
/// open.
package struct Middlebox: Hashable, Sendable, BitwiseCopyable {
    /// The action of a middlebox on a connection after its mapping has expired.
    package enum ExpiryAction: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Packets are dropped in both directions, without a notification.
        case drop
        /// The next packet is dropped, and its sender gets an RST.
        case reset
        /// Packets from the server are dropped until the phone sends a packet.
        case oneWay
        /// When the mapping expires, both ends are notified at once that the connection has ended, as a proxy does.
        case close
    }

    /// Time without packets after which the mapping of a TCP connection expires; `.longest` if it never does.
    package var tcp: TimeSpan
    /// Time without packets after which the mapping of a UDP flow expires; `.longest` if it never does, `blocked` if
    /// no UDP packet passes.
    package var udp: TimeSpan
    package var expiryAction: ExpiryAction
    /// `true` if a packet of an open TCP connection creates a new mapping, as with a stateless or loose firewall.
    /// `false` if only the start of a connection does.
    package var adoptsMidstream: Bool

    package init(
        tcp: TimeSpan = .longest, udp: TimeSpan = .longest, expiryAction: ExpiryAction = .drop,
        adoptsMidstream: Bool = false
    ) {
        self.tcp = tcp
        self.udp = udp
        self.expiryAction = expiryAction
        self.adoptsMidstream = adoptsMidstream
    }

    /// The value of `udp` with which the box drops every UDP packet, as the firewalls of 3 to 5 % of networks do (RFC
    /// 9308 §2). No mapping lasts that short.
    package static let blocked = TimeSpan.zero

    func idle(isUDP: Bool) -> TimeSpan { isUDP ? udp : tcp }

    /// `true` if a packet from the phone creates the mapping again after it was lost.
    func isRenewable(isUDP: Bool) -> Bool {
        isUDP ? udp != Self.blocked : adoptsMidstream || expiryAction == .oneWay
    }
}

/// The middleboxes between a phone's network interface and the server, in the order from phone to server.
package struct MiddleboxPath: Hashable, Sendable, BitwiseCopyable {
    package static let maxBoxes = 4

    package let count: Int
    private let boxes: (Middlebox, Middlebox, Middlebox, Middlebox)

    package init(_ list: [Middlebox] = []) {
        precondition(list.count <= Self.maxBoxes, "\(list.count) middleboxes on a path; the most is \(Self.maxBoxes)")
        func box(_ index: Int) -> Middlebox { index < list.count ? list[index] : Middlebox() }
        count = list.count
        boxes = (box(0), box(1), box(2), box(3))
    }

    package subscript(index: Int) -> Middlebox {
        switch index {
        case 0: boxes.0
        case 1: boxes.1
        case 2: boxes.2
        default: boxes.3
        }
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(self[index]) }
    }
}

/// The mappings of one connection in the middleboxes of its path: when each box last saw a packet.
package struct MiddleboxMappings: Sendable, BitwiseCopyable {
    /// Time at which each box last saw a packet of the connection; `.never` if the box has no mapping.
    private var lastPacketAt: (Instant, Instant, Instant, Instant) = (.never, .never, .never, .never)

    package init() {}

    /// Says if a packet passes the middleboxes of a path, is dropped, or is answered with RST.
    package enum CrossingResult: Hashable, Sendable {
        case passes, vanishes
        /// A box drops the packet because it blocks its protocol.
        case isBlocked
        /// A box answers the packet with RST.
        case isReset
    }

    /// Says if the middleboxes on the path still let the packets of a connection through.
    package enum MappingStatus: Hashable, Sendable, BitwiseCopyable {
        case intact
        /// No packet reaches the phone until the phone sends one.
        case waitsForUplink
        case cut
    }

    /// Sends a packet through the boxes one after the other. Each box that lets it pass restarts its idle time.
    /// - Parameter opensConnection: `true` if the packet requests a new connection.
    package mutating func cross(
        _ direction: Direction, _ path: MiddleboxPath, isUDP: Bool, opensConnection: Bool, at now: Instant
    ) -> CrossingResult {
        for step in 0..<path.count {
            let index = direction == .up ? step : path.count - 1 - step
            let box = path[index]
            let idle = box.idle(isUDP: isUDP)
            if self[index] != .never, now - self[index] <= idle {
                self[index] = max(self[index], now)
                continue
            }
            self[index] = .never
            if idle == Middlebox.blocked { return .isBlocked }
            guard direction == .up, opensConnection || box.isRenewable(isUDP: isUDP) else {
                return box.expiryAction == .reset && !isUDP ? .isReset : .vanishes
            }
            self[index] = now
        }
        return .passes
    }

    /// Time at which the next mapping expires if no packet passes before; `.never` if there is none. A packet at
    /// exactly that time still passes.
    package func nextExpiry(_ path: MiddleboxPath, isUDP: Bool) -> Instant {
        var next = Instant.never
        for index in 0..<path.count where self[index] != .never {
            next = min(next, self[index] + path[index].idle(isUDP: isUDP))
        }
        return next
    }

    /// Removes the first mapping that has expired by `now`, and returns the index of its box. `nil` if none has
    /// expired.
    package mutating func expire(at now: Instant, _ path: MiddleboxPath, isUDP: Bool) -> Int? {
        for index in 0..<path.count
        where self[index] != .never && self[index] + path[index].idle(isUDP: isUDP) <= now {
            self[index] = .never
            return index
        }
        return nil
    }

    /// Removes the mapping in a box that has lost its state, for example in a restart. Returns `false` if the box had
    /// no mapping for this connection.
    package mutating func forget(_ index: Int) -> Bool {
        defer { self[index] = .never }
        return self[index] != .never
    }

    package func status(_ path: MiddleboxPath, isUDP: Bool) -> MappingStatus {
        var standing = MappingStatus.intact
        for index in 0..<path.count where self[index] == .never {
            if !path[index].isRenewable(isUDP: isUDP) { return .cut }
            standing = .waitsForUplink
        }
        return standing
    }

    private subscript(index: Int) -> Instant {
        get {
            switch index {
            case 0: lastPacketAt.0
            case 1: lastPacketAt.1
            case 2: lastPacketAt.2
            default: lastPacketAt.3
            }
        }
        set {
            switch index {
            case 0: lastPacketAt.0 = newValue
            case 1: lastPacketAt.1 = newValue
            case 2: lastPacketAt.2 = newValue
            default: lastPacketAt.3 = newValue
            }
        }
    }
}
