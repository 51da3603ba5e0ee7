import DeadzonePrimitives

/// Exponential gaps with a mean of one second, drawn beforehand so that only the queue is timed. They repeat after 65,536.
struct Increments: Sendable {
    private let values: [Int64]

    static let shared = Increments()

    private init() {
        var dice = Dice(seed: 1, phone: PhoneID(0), purpose: .test)
        let law = Distribution.exponential(mean: 1_000_000_000)
        values = (0..<1 << 16).map { _ in max(1, law.draw(dice.next())) }
    }

    /// For loops: a pointer that is read without a check.
    func withPointer<Result>(_ body: (UnsafePointer<Int64>) -> Result) -> Result {
        values.withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    static let mask = 1 << 16 - 1
}
