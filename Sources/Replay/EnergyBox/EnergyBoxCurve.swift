import DeadzoneBase
import DeadzoneDevice

/// The radio states over time that the tool EnergyBox computes: points in time, each with the state from then on.
///
/// Two points at one time mean a state change. The energy is the sum over neighbouring points of their distance times
/// the power of the first, also if the distance is negative.
struct EnergyBoxCurve: Sendable {
    private let levels: [(state: RadioState, watts: Double)]
    private var previous: (seconds: Double, place: Int)?
    private var first: Double?
    private var seconds: [Double]
    private var counts: [Int]

    /// The states, in the order of their indices.
    init(_ levels: [(state: RadioState, watts: Double)]) {
        self.levels = levels
        seconds = Array(repeating: 0, count: levels.count)
        counts = Array(repeating: 0, count: levels.count)
    }

    var place: Int? { previous?.place }

    mutating func add(_ time: Double, _ place: Int) {
        if let previous {
            seconds[previous.place] += time - previous.seconds
        } else {
            first = time
        }
        if previous?.place != place { counts[place] += 1 }
        previous = (time, place)
    }

    var bill: RadioBill {
        var bill = RadioBill()
        for (place, level) in levels.enumerated() where counts[place] > 0 {
            bill.add(
                level.state, count: counts[place], seconds: seconds[place], joules: seconds[place] * level.watts)
        }
        if let first, let previous { bill.seconds = previous.seconds - first }
        return bill
    }
}
