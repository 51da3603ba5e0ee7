import DeadzonePrimitives

/// Packets that wait for a radio, in their order. Nearly all of them wait for the same moment, so that is looked at once, not at
/// each of them for each that comes.
struct Waiting {
    private var flights: [Flight] = []
    /// Those before it have gone.
    private var first = 0
    /// What all were told last; nil: one of them was told something else.
    private var told: (flowsAt: Instant, isSlow: Bool)?

    var isEmpty: Bool { first == flights.count }
    var count: Int { flights.count - first }
    /// When the first of them can go.
    var dueAt: Instant { isEmpty ? .never : flights[first].at }

    mutating func append(_ flight: Flight) {
        if let told, flight.at - flight.lag != told.flowsAt { self.told = nil }
        flights.append(flight)
    }

    mutating func removeFirst() -> Flight {
        let flight = flights[first]
        first += 1
        if isEmpty {
            flights.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 1_024 && first > flights.count / 2 {
            flights.removeFirst(first)
            first = 0
        }
        return flight
    }

    /// The one that was taken out last waits on.
    mutating func putBack(_ flight: Flight) {
        told = nil
        if first == 0 {
            flights.insert(flight, at: 0)
        } else {
            first -= 1
            flights[first] = flight
        }
    }

    mutating func removeAll() -> ArraySlice<Flight> {
        defer { self = Waiting() }
        return flights[first...]
    }

    /// The air opens at another moment than the radio promised: what waits for it goes then, in its old order.
    mutating func reschedule(to flowsAt: Instant, isSlow: Bool, at now: Instant) {
        if let told, told == (flowsAt, isSlow) { return }
        for index in flights.indices.dropFirst(first) where now <= flights[index].at - flights[index].lag {
            if !isSlow { flights[index].lag = .zero }
            flights[index].at = flowsAt + flights[index].lag
        }
        told = (flowsAt, isSlow)
    }
}
