import DeadzoneLane
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneWorld

/// The rounds that phones go on for before anybody looks who came to the server, and who did. Where crowds share them, how many they
/// are follows from how many phones were due: enough that it is worth sharing them out. A crowd that is alone shares nothing out, and the
/// longer its lap, the more seldom a phone rests and is laid out again.
struct Lap {
    private static let most = 4_096
    /// Enough for a connection to be set up without its phone getting up between: to lay one out costs a microsecond.
    private static let fewest = 16

    private let isShared: Bool
    private let enough: Range<Int>
    private var first: Int64 = 0
    private var count: Int
    /// By round.
    private var waiting: [[Arrival]] = []
    private var leaving: [[Leaving]] = []
    /// A bit for each round in which something is to be done.
    private var busy: [UInt64] = []
    /// Of the lap before, at the beginning; and of this one so far.
    private(set) var turns: Int
    private var turnsSoFar = 0

    init(phones: Int, isShared: Bool) {
        self.isShared = isShared
        turns = phones
        enough = min(phones / 4, 1 << 14)..<max(min(phones / 2, 1 << 16), 1)
        count = isShared ? Self.fewest : Self.most
    }

    private(set) var last: Int64 = 0

    /// - Parameters:
    ///   - limit: The first round that is to be of another lap, if there is one.
    ///   - most: It has no more rounds.
    mutating func begin(_ round: Int64, before limit: Int64? = nil, atMost most: Int64 = .max) {
        first = round
        last = min(round + min(Int64(count), most), limit ?? .max) - 1
        turnsSoFar = 0
        while waiting.count < count {
            waiting.append([])
            leaving.append([])
        }
        busy = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// Who has come and gone since this was last asked; to be asked after each part of the phones.
    mutating func take(from crowds: borrowing Crowds, _ rounds: Rounds) {
        turnsSoFar += crowds.takeArrivals {
            let place = place(of: $0.at, rounds)
            waiting[place].append($0)
            note(place)
        } leavings: {
            let place = place(of: $0.at, rounds)
            // Of those whose day is over nobody will hear.
            guard place < count else { return }
            leaving[place].append($0)
            note(place)
        }
    }

    private func place(of instant: Instant, _ rounds: Rounds) -> Int { Int(rounds.number(of: instant) - first) }

    private mutating func note(_ place: Int) { busy[place >> 6] |= 1 << UInt64(place & 63) }

    /// The first round in which something is to be done.
    var nextRound: Int64? {
        guard let word = busy.firstIndex(where: { $0 != 0 }) else { return nil }
        return first + Int64(word << 6 + busy[word].trailingZeroBitCount)
    }

    /// In the total order. To be asked round by round.
    mutating func arrivals(in round: Int64) -> [Arrival] {
        var arrivals: [Arrival] = []
        swap(&arrivals, &waiting[Int(round - first)])
        arrivals.sort { ($0.at, $0.lane, $0.sequence) < ($1.at, $1.lane, $1.sequence) }
        return arrivals
    }

    /// In any order: they only count. To be asked once the round is settled, which is over then.
    mutating func leavings(in round: Int64) -> [Leaving] {
        let place = Int(round - first)
        busy[place >> 6] &= ~(1 << UInt64(place & 63))
        var leavings: [Leaving] = []
        swap(&leavings, &leaving[place])
        return leavings
    }

    /// To be called before the first round is settled: phones that go on then had come to the server.
    mutating func noteTurns() { turns = turnsSoFar }

    mutating func adapt() {
        guard isShared else { return }
        if turns < enough.lowerBound {
            count = min(count * 2, Self.most)
        } else if enough.upperBound < turns {
            count = max(count / 2, Self.fewest)
        }
    }
}
