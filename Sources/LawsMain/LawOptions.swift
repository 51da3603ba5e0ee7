/// What `deadzone-laws` is asked for.
struct LawOptions {
    enum Part { case all, worlds, strategies }

    var part = Part.all
    var seeds: ClosedRange<UInt64> = 1...10_000
    /// Of long histories for each strategy.
    var histories: ClosedRange<UInt64> = 1...300
    /// Every history of so many upheavals at most.
    var length = 3

    struct Fault: Error {
        let message: String
    }

    static let usage = """
        deadzone-laws                       10,000 random worlds, and every strategy in every short history
        deadzone-laws worlds | strategies   one of the two
            --seeds 100000                  so many worlds, and long histories
            --seed 4711                     this one
            --length 4                      every history of up to so many upheavals
        deadzone-laws --delivery 4711       what clients claim of their messages, in this world
        deadzone-laws --visits 4711         what a client in a pocket does with its visits, in this world
        deadzone-laws --chaos 50000         the chaos test, until so many disconnects

        """

    init(_ words: [String]) throws(Fault) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "worlds": part = .worlds
            case "strategies": part = .strategies
            case "--seeds":
                let count = try Self.number(rest.popFirst(), of: word, in: 1...1 << 40)
                (seeds, histories) = (1...count, 1...count)
            case "--seed":
                let seed = try Self.number(rest.popFirst(), of: word, in: 0...UInt64.max)
                (seeds, histories) = (seed...seed, seed...seed)
            case "--length": length = Int(try Self.number(rest.popFirst(), of: word, in: 0...6))
            default: throw Fault(message: "unknown argument `\(word)`")
            }
        }
    }

    private static func number(
        _ word: String?, of flag: String, in range: ClosedRange<UInt64>
    ) throws(Fault) -> UInt64 {
        guard let number = word.flatMap({ UInt64($0) }), range.contains(number) else {
            throw Fault(message: "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
