import DeadzoneLane
import DeadzonePrimitives

/// Phones of one worker that live by one world and one strategy, side by side: one of them has its turn, the others wait.
struct Seats: ~Copyable {
    /// Of no more phones each has a seat: some megabytes. To put a lane away and lay it out again takes longer than to find it there.
    static let most = 1_024

    /// What they share.
    var stage: Stage
    /// Whose turn it is.
    private var awake: Int?
    /// Of few phones each has its own seat, by place, and none ever rests.
    private var own: [Seat?]
    private var hasOwn: Bool { !own.isEmpty }
    /// Of many there is one seat for all, and who has no turn rests.
    private var rows: Rows

    init(_ stage: consuming Stage, phones: Int) {
        self.stage = stage
        own = phones <= Self.most ? Array(repeating: nil, count: phones) : []
        rows = Rows(count: phones <= Self.most ? 0 : phones, kinds: Seat.kindCount)
    }

    deinit {
        // Of a run that nobody wanted to its end: who sits there, before another is laid out in its place.
        for case let seat? in own {
            seat.lane.deinitialize(count: 1)
            seat.takeAway()
        }
        guard !hasOwn else { return }
        if awake != nil { stage.seat.lane.deinitialize(count: 1) }
        for place in 0..<rows.count where rows.isKept(place) && awake != place {
            rows.layOut(place, on: stage.seat.words)
            stage.seat.lane.deinitialize(count: 1)
        }
    }

    /// It has a past, and rests or sits.
    func isThere(_ place: Int) -> Bool { hasOwn ? own[place] != nil : awake == place || rows.isKept(place) }

    /// A new one sits down.
    /// - Parameter place: Its own among those who sit here.
    mutating func begin(_ phone: PhoneID, place: Int) -> UnsafeMutablePointer<Lane> {
        rest()
        rows.loseImage()
        if hasOwn {
            let seat = stage.newSeat(like: own.lazy.compactMap { $0 }.first)
            own[place] = seat
            stage.move(to: seat)
        }
        stage.begin(phone)
        let seat = stage.seat
        seat.lane.initialize(to: Lane(phone: phone, stage: stage, on: seat.surveyor))
        awake = place
        return seat.lane
    }

    /// The next steps are those of this phone, which sits down if it does not sit yet.
    mutating func turn(to phone: PhoneID, place: Int) -> UnsafeMutablePointer<Lane> {
        stage.turn(to: phone)
        guard awake != place else { return stage.seat.lane }
        rest()
        awake = place
        if hasOwn {
            guard let its = own[place] else { preconditionFailure("lane \(place) has no seat") }
            stage.move(to: its)
        } else {
            rows.layOut(place, on: stage.seat.words)
            stage.takeFlightsOut()
        }
        return stage.seat.lane
    }

    /// Who sits there stands up for good.
    mutating func end() {
        guard let place = awake else { return }
        awake = nil
        let seat = stage.seat
        seat.lane.deinitialize(count: 1)
        guard hasOwn else { return rows.forget(place) }
        own[place] = nil
        stage.move(to: nil)
        seat.takeAway()
    }

    private mutating func rest() {
        guard let place = awake else { return }
        awake = nil
        guard !hasOwn else { return }
        stage.putFlightsAway()
        let seat = stage.seat
        rows.keep(place, seat.words, words: seat.wordCount, kind: seat.kind, at: seat.lane.pointee.now)
    }

    /// Bytes of a lane that rests.
    mutating func bytes(_ place: Int) -> Int {
        rest()
        return hasOwn ? 0 : rows.bytes(of: place)
    }
}
