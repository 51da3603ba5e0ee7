public import DeadzonePrimitives

/// A box on the path that keeps a mapping for every connection and forgets it when the connection says nothing for too long:
/// the NAT of a carrier, a firewall, a load balancer. Both ends go on believing.
public struct Middlebox: Hashable, Sendable, BitwiseCopyable {
    /// What an expired mapping does.
    public enum Manner: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Packets vanish, both ways, and nobody is told.
        case drop
        /// The next packet is answered with RST, to whoever sent it.
        case reset
        /// What comes from the server vanishes until the phone sends something.
        case oneWay
        /// Both ends are told at once that the connection has ended, as a proxy does.
        case close
    }

    /// Silence after which a mapping is gone; `.longest`: never.
    public var tcp: TimeSpan
    public var udp: TimeSpan
    public var manner: Manner
    /// A packet from the middle of a TCP connection makes a new mapping, as a stateless or a loose firewall lets it.
    public var adoptsMidstream: Bool

    public init(
        tcp: TimeSpan = .longest, udp: TimeSpan = .longest, manner: Manner = .drop, adoptsMidstream: Bool = false
    ) {
        self.tcp = tcp
        self.udp = udp
        self.manner = manner
        self.adoptsMidstream = adoptsMidstream
    }

    func idle(isUDP: Bool) -> TimeSpan { isUDP ? udp : tcp }

    /// A packet of the phone brings a lost mapping back.
    func isRenewable(isUDP: Bool) -> Bool { isUDP || adoptsMidstream || manner == .oneWay }
}

/// The boxes between a phone's interface and the server, in this order.
public struct MiddleboxPath: Hashable, Sendable, BitwiseCopyable {
    public static let mostBoxes = 4

    public let count: Int
    private let boxes: (Middlebox, Middlebox, Middlebox, Middlebox)

    public init(_ list: [Middlebox] = []) {
        precondition(list.count <= Self.mostBoxes, "\(list.count) boxes on a path, at most \(Self.mostBoxes)")
        let padded = list + Array(repeating: Middlebox(), count: Self.mostBoxes - list.count)
        count = list.count
        boxes = (padded[0], padded[1], padded[2], padded[3])
    }

    public subscript(place: Int) -> Middlebox {
        switch place {
        case 0: boxes.0
        case 1: boxes.1
        case 2: boxes.2
        default: boxes.3
        }
    }

    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for place in 0..<count { hasher.combine(self[place]) }
    }
}

/// What the boxes of a path know of one connection: when each of them last saw a packet of it.
public struct Mappings: Sendable, BitwiseCopyable {
    /// `.never`: no mapping.
    private var last: (Instant, Instant, Instant, Instant) = (.never, .never, .never, .never)

    public init() {}

    /// What becomes of a packet on its way through the boxes.
    public enum Crossing: Hashable, Sendable {
        case passes, vanishes
        /// A box answers it with RST.
        case isReset
    }

    /// What the boxes do to the connection as a whole.
    public enum Standing: Hashable, Sendable, BitwiseCopyable {
        case whole
        /// Nothing reaches the phone until it sends something.
        case waitsForUplink
        case cut
    }

    /// A packet passes the boxes one after the other, and each that lets it through begins to count anew.
    /// - Parameter begins: It asks for a new connection.
    public mutating func cross(
        _ direction: Direction, _ path: MiddleboxPath, isUDP: Bool, begins: Bool, at now: Instant
    ) -> Crossing {
        for step in 0..<path.count {
            let place = direction == .up ? step : path.count - 1 - step
            let box = path[place]
            if self[place] != .never, now - self[place] <= box.idle(isUDP: isUDP) {
                self[place] = max(self[place], now)
                continue
            }
            self[place] = .never
            guard direction == .up, begins || box.isRenewable(isUDP: isUDP) else {
                return box.manner == .reset && !isUDP ? .isReset : .vanishes
            }
            self[place] = now
        }
        return .passes
    }

    /// When the next mapping runs out if nothing passes. A packet of that very moment still passes.
    public func nextExpiry(_ path: MiddleboxPath, isUDP: Bool) -> Instant {
        var next = Instant.never
        for place in 0..<path.count where self[place] != .never {
            next = min(next, self[place] + path[place].idle(isUDP: isUDP))
        }
        return next
    }

    /// Forgets the first mapping that has run out, and says in which box.
    public mutating func expire(at now: Instant, _ path: MiddleboxPath, isUDP: Bool) -> Int? {
        for place in 0..<path.count
        where self[place] != .never && self[place] + path[place].idle(isUDP: isUDP) <= now {
            self[place] = .never
            return place
        }
        return nil
    }

    /// A box has lost its memory. Returns false if it had none of this connection.
    public mutating func forget(_ place: Int) -> Bool {
        defer { self[place] = .never }
        return self[place] != .never
    }

    public func standing(_ path: MiddleboxPath, isUDP: Bool) -> Standing {
        var standing = Standing.whole
        for place in 0..<path.count where self[place] == .never {
            if !path[place].isRenewable(isUDP: isUDP) { return .cut }
            standing = .waitsForUplink
        }
        return standing
    }

    private subscript(place: Int) -> Instant {
        get {
            switch place {
            case 0: last.0
            case 1: last.1
            case 2: last.2
            default: last.3
            }
        }
        set {
            switch place {
            case 0: last.0 = newValue
            case 1: last.1 = newValue
            case 2: last.2 = newValue
            default: last.3 = newValue
            }
        }
    }
}
