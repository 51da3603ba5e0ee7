import DeadzoneBase

/// Maps times to x coordinates of SVG paths. X is in axis steps from the left, y in tenths of a pixel from the top.
/// Marks closer together than one step are drawn as one, the largest. So a day of packets takes as little space as an
/// hour, and no extreme is lost.
struct TimeAxis {
    /// Browsers store coordinates as 32-bit floats, which are exact up to 2^24.
    private static let maxSteps: Int64 = 16_000_000
    private static let millisecond: Int64 = 1_000_000

    /// Length of the axis in nanoseconds.
    let horizon: Int64
    /// Length of the axis in steps: milliseconds, but at most `maxSteps`. A step need not be a whole number of
    /// nanoseconds, so a page contains both lengths and its script divides.
    let length: Int64
    /// Time of day at the left end; `nil` for times from the start.
    let startOfDay: TimeSpan?

    init(horizon: Int64, startOfDay: TimeSpan? = nil) {
        self.startOfDay = startOfDay
        self.horizon = max(1, horizon)
        length = min(Self.maxSteps, max(1, self.horizon / Self.millisecond))
    }

    func callAsFunction(_ nanoseconds: Int64) -> Int64 {
        let product = min(max(nanoseconds, 0), horizon).multipliedFullWidth(by: length)
        return horizon.dividingFullWidth(product).quotient
    }

    /// HTML attributes with both lengths and the time of day in milliseconds, for the page's script.
    var attributes: String {
        let clock = startOfDay.map { " data-clock=\"\($0.nanoseconds / Self.millisecond)\"" } ?? ""
        return "data-length=\"\(length)\" data-span=\"\(horizon)\"" + clock
    }

    /// A time on the axis, such as `1h30m`, or as a time of day `08:30`.
    func text(_ nanoseconds: Int64) -> String {
        guard let startOfDay else { return TimeText.text(nanoseconds) }
        return TimeOfDay(sinceMidnight: startOfDay + .nanoseconds(nanoseconds)).text
    }

    /// Nanoseconds that are merged into one mark if there are `count` marks and room for `most`. 0 if nothing is
    /// merged.
    func step(_ count: Int, atMost most: Int) -> Int64 { count <= most ? 0 : max(1, horizon / Int64(most)) }
}

/// Combines all bars of one kind into one SVG path (its `d` attribute).
struct BarPath {
    // Bytes, because a timeline has ten thousand bars, and string interpolation takes ten times as long.
    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// Adds a bar, drawn from the bottom upwards.
    mutating func add(_ start: Int64, _ end: Int64, top: Int, bottom: Int) {
        let width = max(1, end - start)
        move(start, bottom)
        append("h", width)
        append("V", Int64(top))
        append("h", -width)
        bytes.append(UInt8(ascii: "z"))
    }

    mutating func stick(_ at: Int64, from: Int, to: Int) {
        move(at, from)
        append("V", Int64(to))
    }

    mutating func slope(_ start: Int64, _ first: Int, _ end: Int64, _ last: Int) {
        move(start, first)
        line(end, last)
    }

    mutating func move(_ x: Int64, _ y: Int) {
        append("M", x)
        append(" ", Int64(y))
    }

    mutating func line(_ x: Int64, _ y: Int) {
        append("L", x)
        append(" ", Int64(y))
    }

    private mutating func append(_ letter: Unicode.Scalar, _ number: Int64) {
        bytes.append(UInt8(ascii: letter))
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let first = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var (low, high) = (first, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    /// - Parameter hatch: The fill pattern. `nil` leaves the fill to the style sheet.
    func svg(_ kind: String, hatch: String? = nil) -> String {
        guard !isEmpty else { return "" }
        let fill = hatch.map { " fill=\"url(#\($0))\"" } ?? ""
        return "<path class=\"\(kind)\"\(fill) d=\"\(text)\"/>\n"
    }
}
