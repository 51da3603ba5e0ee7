import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// Where a packet is on its way.
enum Hop: UInt8, BitwiseCopyable, Sendable {
    /// In the phone, until the radio lets data flow.
    case heldByPhone
    /// In the network, towards the server.
    case toServer
    /// In the network, towards the base station or access point.
    case toEdge
    /// At the edge, until the phone's radio listens.
    case heldByEdge
    /// In the accept queue of the shared server.
    case queued
    /// In the client's library, for which the socket had no room.
    case asking
    /// A call that the server's program works on.
    case thinking
    /// Its answer, for which the socket had no room.
    case answering
    /// A call that the server's program gives up, because it has waited there for too long.
    case refusing
    /// A question that the resolver works on.
    case resolving

    /// Waits for room at one end, and looks now and then.
    @inline(__always)
    var isLook: Bool { self == .asking || self == .answering }
}

/// A packet on its way, and when its hop ends.
struct Flight: BitwiseCopyable, Sendable {
    var at: Instant
    var packet: Packet
    var hop: Hop
    var interface: Interface
    /// The line that sent it; probes have none.
    var slot: UInt8
    /// Of the line: packets of an older connection in the same slot belong to no one.
    var generation: UInt16
    /// Of the interface: packets sent over an address that is gone reach no one.
    var epoch: UInt16
    /// Of a held packet: how long its bits take on a channel slower than the link.
    var lag = TimeSpan.zero
    fileprivate(set) var next: Int32 = -1
}

/// The flights of one lane, in order of time and, at equal times, of their departure.
struct FlightList: BitwiseCopyable, Sendable {
    fileprivate var head: Int32 = -1
    fileprivate var tail: Int32 = -1

    var isEmpty: Bool { head < 0 }
}

/// Places for flights, shared by the lanes of one worker and used again: nothing is allocated once the busiest moment has
/// been seen. Links keep their order, so an insertion is almost always at the tail.
struct FlightPool: ~Copyable {
    private var places: UnsafeMutablePointer<Flight>
    private var capacity: Int
    private var used = 0
    private var free: Int32 = -1

    init() {
        capacity = 64
        places = .allocate(capacity: capacity)
    }

    deinit { places.deallocate() }

    func nextAt(_ list: FlightList) -> Instant { list.head < 0 ? .never : places[Int(list.head)].at }

    @inline(__always)
    mutating func insert(_ flight: Flight, into list: inout FlightList) {
        insert(flight, flight.hop, at: flight.at, into: &list)
    }

    /// The flight with another hop, which ends then; it is not copied for that.
    @inline(__always)
    mutating func insert(_ flight: Flight, _ hop: Hop, at end: Instant, into list: inout FlightList) {
        let place = claim()
        places[Int(place)] = flight
        places[Int(place)].at = end
        places[Int(place)].hop = hop
        places[Int(place)].next = -1
        if list.tail < 0 {
            list.head = place
            list.tail = place
        } else if places[Int(list.tail)].at <= end {
            places[Int(list.tail)].next = place
            list.tail = place
        } else {
            putBefore(place, at: end, in: &list)
        }
    }

    /// In front or between: others land later.
    private mutating func putBefore(_ place: Int32, at end: Instant, in list: inout FlightList) {
        guard places[Int(list.head)].at <= end else {
            places[Int(place)].next = list.head
            list.head = place
            return
        }
        var before = list.head
        while places[Int(places[Int(before)].next)].at <= end { before = places[Int(before)].next }
        places[Int(place)].next = places[Int(before)].next
        places[Int(before)].next = place
    }

    mutating func removeFirst(_ list: inout FlightList) -> Flight {
        precondition(list.head >= 0, "no flight to land")
        let place = list.head
        let flight = places[Int(place)]
        list.head = flight.next
        if list.head < 0 { list.tail = -1 }
        release(place)
        return flight
    }

    /// Takes out the first flight that `isTaken` names.
    mutating func removeFirst(from list: inout FlightList, where isTaken: (Flight) -> Bool) -> Flight? {
        var before: Int32 = -1
        var place = list.head
        while place >= 0 {
            let flight = places[Int(place)]
            if isTaken(flight) {
                if before < 0 { list.head = flight.next } else { places[Int(before)].next = flight.next }
                if list.tail == place { list.tail = before }
                release(place)
                return flight
            }
            before = place
            place = flight.next
        }
        return nil
    }

    /// Takes all of them out, in their order, if they are no more than so many. Returns how many it took.
    mutating func takeAll(_ list: inout FlightList, atMost most: Int, to flights: UnsafeMutablePointer<Flight>) -> Int {
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

    func forEach(in list: FlightList, _ body: (Flight) -> Void) {
        var place = list.head
        while place >= 0 {
            body(places[Int(place)])
            place = places[Int(place)].next
        }
    }

    @inline(__always)
    private mutating func claim() -> Int32 {
        guard free >= 0 else { return claimAnother() }
        defer { free = places[Int(free)].next }
        return free
    }

    private mutating func claimAnother() -> Int32 {
        if used == capacity {
            let larger = UnsafeMutablePointer<Flight>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: places, count: used)
            places.deallocate()
            places = larger
            capacity *= 2
        }
        defer { used += 1 }
        return Int32(used)
    }

    private mutating func release(_ place: Int32) {
        places[Int(place)].next = free
        free = place
    }
}
