import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneWorld

/// Phones that meet at one server. Time is cut into rounds no longer than the quickest answer of the server: within a round no
/// phone can notice another. What two of them can notice of each other is only how long the server takes; so phones go on
/// alone for many rounds, a lap, and only who has come to the server waits for the round's end and its decision.
///
///     a lap begins ──all who are due go on──> rounds in which somebody came, in order:
///         the server takes their arrivals in the total order ──these go on──> a lap ends
extension Simulation {
    func runInRounds<R: Recorder>(
        _ phones: Range<UInt32>, into recorders: UnsafeMutableBufferPointer<R>, by helpers: some Helpers,
        _ isCancelled: () -> Bool
    ) {
        let rounds = Rounds(world)
        precondition(rounds.length > .zero, "phones that meet need links with a delay floor")
        let crowds = Crowds(self, phones, into: recorders, by: helpers)
        var server = Cluster(world.server, events: world.instanceEvents)
        var lap = Lap(phones: phones.count)
        while let first = crowds.next(before: world.horizon) {
            // Phones in the middle of their day.
            if isCancelled() { return crowds.each(by: helpers) { $0.flush() } }
            let from = rounds.number(of: first)
            lap.begin(from)
            let end = rounds.end(of: lap.last)
            crowds.each(lap.turns, by: helpers) { $0.run(until: end) }
            lap.turns = crowds.takeArrivals {
                lap.wait($0, rounds)
            } leavings: {
                lap.leave($0, rounds)
            }
            for number in from...lap.last {
                let arrivals = lap.arrivals(in: number)
                if !arrivals.isEmpty {
                    let roundEnd = rounds.end(of: number)
                    for arrival in arrivals {
                        crowds.note(
                            Crowd.Decision(arrival: arrival, verdict: server.decide(arrival, roundEnd: roundEnd)))
                    }
                    crowds.each(arrivals.count, by: helpers) { $0.settle(roundEnd: roundEnd, until: end) }
                    _ = crowds.takeArrivals {
                        lap.wait($0, rounds)
                    } leavings: {
                        lap.leave($0, rounds)
                    }
                }
                for leaving in lap.leavings(in: number) { server.leave(leaving.instance) }
            }
            lap.adapt()
        }
        let horizon = world.horizon
        crowds.each(by: helpers) {
            $0.finish(at: horizon)
            $0.flush()
        }
    }
}

/// Where rounds begin and end.
struct Rounds {
    let length: TimeSpan
    private let horizon: Instant

    init(_ world: World) {
        length = world.roundLength
        horizon = world.horizon
    }

    func number(of instant: Instant) -> Int64 { instant.nanoseconds / length.nanoseconds }
    func end(of number: Int64) -> Instant { min(.zero + length * (number + 1), horizon) }
}

/// The rounds that phones go on for before anybody looks who came to the server, and who did. How many they are follows from
/// how many phones were due: enough that it is worth sharing them out, and never so many that a wish to stop would wait.
private struct Lap {
    private static let most = 1_024
    /// Enough for a connection to be set up without its phone getting up between: to lay one out costs a microsecond.
    private static let fewest = 16

    private var first: Int64 = 0
    private var count = Self.fewest
    /// By round.
    private var waiting: [[Arrival]] = [[]]
    private var leaving: [[Leaving]] = [[]]
    private let enough: Range<Int>
    /// Of the lap before, at the beginning.
    var turns = 0

    init(phones: Int) {
        turns = phones
        enough = min(phones / 4, 1 << 14)..<max(min(phones / 2, 1 << 16), 1)
    }

    var last: Int64 { first + Int64(count) - 1 }

    mutating func begin(_ round: Int64) {
        first = round
        while waiting.count < count {
            waiting.append([])
            leaving.append([])
        }
    }

    mutating func wait(_ arrival: Arrival, _ rounds: Rounds) {
        waiting[Int(rounds.number(of: arrival.at) - first)].append(arrival)
    }

    mutating func leave(_ one: Leaving, _ rounds: Rounds) {
        leaving[Int(rounds.number(of: one.at) - first)].append(one)
    }

    /// In any order: they only count. To be asked once the round is settled.
    mutating func leavings(in round: Int64) -> [Leaving] {
        var leavings: [Leaving] = []
        swap(&leavings, &leaving[Int(round - first)])
        return leavings
    }

    /// In the total order. To be asked round by round.
    mutating func arrivals(in round: Int64) -> [Arrival] {
        var arrivals: [Arrival] = []
        swap(&arrivals, &waiting[Int(round - first)])
        arrivals.sort { ($0.at, $0.lane, $0.sequence) < ($1.at, $1.lane, $1.sequence) }
        return arrivals
    }

    mutating func adapt() {
        if turns < enough.lowerBound {
            count = min(count * 2, Self.most)
        } else if enough.upperBound < turns {
            count = max(count / 2, Self.fewest)
        }
    }
}
