import DeadzoneBase
import DeadzoneTransport

/// The place where a packet in flight is, such as in the network or at the base station.
///
/// Pending tasks of phone and server share the queue with packets, so they have cases here, too.
enum PacketLocation: UInt8, BitwiseCopyable, Sendable {
    /// The packet waits in the phone until its radio can send.
    case heldByPhone
    /// The packet travels through the network to the server.
    case toServer
    /// The packet travels through the network to the base station or access point.
    case toEdge
    /// The packet waits at the base station or access point until the phone's radio listens.
    case heldByEdge
    /// The connection waits in the accept queue of the shared server.
    case inAcceptQueue
    /// A call that the client library sends again later, because the socket had no buffer space.
    case retryingCall
    /// A call that the server's application is processing.
    case processing
    /// A response that the server's application writes again later, because the socket had no buffer space.
    case retryingAnswer
    /// A call that the server's application rejects when its waiting time is over.
    case timingOut
    /// A DNS query that the resolver is processing.
    case resolving
    /// The phone waits for the answer to its request for new credentials.
    case awaitingToken
    /// A request for new credentials that the server's program answers, or refuses for lack of capacity.
    case issuingToken, refusingToken
    /// The packet waits in the phone, or at the gateway, until the tunnel has a session.
    case heldByTunnel, heldByGateway

    /// `true` for a call or response that its sender retries at intervals until the socket has buffer space.
    @inline(__always)
    var isRetry: Bool { self == .retryingCall || self == .retryingAnswer }
}

/// A packet in flight, or a pending task of the phone or the server, with the time at which its current hop or wait
/// ends.
struct PacketInFlight: BitwiseCopyable, Sendable {
    /// Instant at which the current hop, or the task's wait, ends.
    var at: Instant
    var packet: Packet
    var location: PacketLocation
    var interface: Interface
    /// Slot of the packet's connection; `.max` for packets without a connection, such as probes.
    var slot: UInt8
    /// Generation of the packet's connection. Each new connection in a slot has another generation, and packets of an
    /// older one are ignored.
    var generation: UInt16
    /// The interface's address, as a counter that each new address increases. A packet of a withdrawn address is
    /// dropped.
    var addressNumber: UInt16
    /// For a packet that waits for the radio: extra transmission time, if the radio's channel is slower than the link.
    var lag = TimeSpan.zero
    fileprivate(set) var next: Int32 = -1
    /// The connection's own address, while the packet rides in the tunnel; `nil` outside. `interface` and `addressNumber` are
    /// then those of the tunnel's socket.
    var inner: Tunnel.OuterAddress?

    /// `true` if the operating system sends the packet, which it may do while the app has no network.
    @inline(__always)
    var isOfSystem: Bool { slot == .max || packet.content == .reset }
}

extension PacketInFlight {
    /// A packet that leaves the phone and belongs to none of the app's connections.
    init(_ packet: Packet, over interface: Interface, addressNumber: UInt16, at now: Instant) {
        self.init(
            at: now, packet: packet, location: .heldByPhone, interface: interface, slot: .max, generation: 0,
            addressNumber: addressNumber)
    }
}

/// Linked list of the packets in flight of one phone, ordered by time; at equal times, in the order of insertion.
struct PacketList: BitwiseCopyable, Sendable {
    fileprivate var head: Int32 = -1
    fileprivate var tail: Int32 = -1

    var isEmpty: Bool { head < 0 }
}

/// Memory pool of packets in flight, shared by the phones of one worker.
///
/// Entries are reused: after the busiest moment nothing is allocated. Links preserve packet order, so an insertion is
/// almost always at the tail.
struct PacketPool: ~Copyable {
    private var places: UnsafeMutablePointer<PacketInFlight>
    private var capacity: Int
    private var used = 0
    private var free: Int32 = -1
    /// The last packet that was inserted between others, or -1 if it has left its list, and the tail of that list, which
    /// identifies the list.
    private var lastSorted: (place: Int32, tail: Int32) = (-1, -1)

    init() {
        capacity = 64
        places = .allocate(capacity: capacity)
    }

    deinit { places.deallocate() }

    func nextAt(_ list: PacketList) -> Instant { list.head < 0 ? .never : places[Int(list.head)].at }

    @inline(__always)
    mutating func insert(_ flight: PacketInFlight, into list: inout PacketList) {
        insert(flight, flight.location, at: flight.at, into: &list)
    }

    /// Inserts the packet with this location and end of its hop, instead of its own. This avoids a copy of the packet.
    @inline(__always)
    mutating func insert(_ flight: PacketInFlight, _ hop: PacketLocation, at end: Instant, into list: inout PacketList)
    {
        let place = claim()
        places[Int(place)] = flight
        places[Int(place)].at = end
        places[Int(place)].location = hop
        places[Int(place)].next = -1
        if list.tail < 0 {
            list.head = place
            list.tail = place
        } else if places[Int(list.tail)].at <= end {
            places[Int(list.tail)].next = place
            list.tail = place
        } else {
            insertSorted(place, at: end, in: &list)
        }
    }

    /// Inserts an entry into the list before the first packet that ends later.
    ///
    /// The search begins at the previous insertion if that packet does not end later. Thousands of calls that poll a
    /// full socket are each inserted behind the one before; a search from the head made that quadratic.
    @inline(never)
    private mutating func insertSorted(_ place: Int32, at end: Instant, in list: inout PacketList) {
        guard places[Int(list.head)].at <= end else {
            places[Int(place)].next = list.head
            list.head = place
            return
        }
        var before = list.head
        if lastSorted.place >= 0, lastSorted.tail == list.tail, places[Int(lastSorted.place)].at <= end {
            before = lastSorted.place
        }
        while places[Int(places[Int(before)].next)].at <= end { before = places[Int(before)].next }
        places[Int(place)].next = places[Int(before)].next
        places[Int(before)].next = place
        lastSorted = (place, list.tail)
    }

    @inline(__always)
    mutating func removeFirst(_ list: inout PacketList) -> PacketInFlight {
        precondition(list.head >= 0, "no flight to land")
        let place = list.head
        let flight = places[Int(place)]
        list.head = flight.next
        if list.head < 0 { list.tail = -1 }
        release(place)
        return flight
    }

    /// Removes and returns the first packet for which `isTaken` returns `true`.
    mutating func removeFirst(from list: inout PacketList, where isTaken: (PacketInFlight) -> Bool) -> PacketInFlight? {
        var before: Int32 = -1
        var place = list.head
        while place >= 0 {
            let flight = places[Int(place)]
            if isTaken(flight) {
                if before < 0 { list.head = flight.next } else { places[Int(before)].next = flight.next }
                if list.tail == place { list.tail = before }
                // The place of a removed tail can become the tail of another list.
                lastSorted.place = -1
                release(place)
                return flight
            }
            before = place
            place = flight.next
        }
        return nil
    }

    /// Moves all packets of the list to `flights`, in order, but only if there are at most `most`. Returns the number
    /// of moved packets.
    mutating func takeAll(_ list: inout PacketList, atMost most: Int, to flights: UnsafeMutablePointer<PacketInFlight>)
        -> Int
    {
        var count = 0
        var place = list.head
        while place >= 0 && count <= most {
            count += 1
            place = places[Int(place)].next
        }
        guard count <= most else { return 0 }
        for index in 0..<count { flights[index] = removeFirst(&list) }
        return count
    }

    func forEach(in list: PacketList, _ body: (PacketInFlight) -> Void) {
        var place = list.head
        while place >= 0 {
            body(places[Int(place)])
            place = places[Int(place)].next
        }
    }

    @inline(__always)
    private mutating func claim() -> Int32 {
        guard free >= 0 else { return claimNew() }
        defer { free = places[Int(free)].next }
        return free
    }

    private mutating func claimNew() -> Int32 {
        if used == capacity {
            let larger = UnsafeMutablePointer<PacketInFlight>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: places, count: used)
            places.deallocate()
            places = larger
            capacity *= 2
        }
        defer { used += 1 }
        return Int32(used)
    }

    private mutating func release(_ place: Int32) {
        if place == lastSorted.place { lastSorted.place = -1 }
        places[Int(place)].next = free
        free = place
    }
}
