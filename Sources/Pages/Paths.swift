/// Paths of SVG over time, in steps of the axis from the left and tenths of a pixel from the top. Whatever lies closer together
/// than one step is drawn as one, and keeps its largest: a day of packets is then as small as an hour, and no extreme is lost.
struct TimeAxis {
    /// Browsers keep coordinates as 32-bit floats, which are exact up to 2^24.
    private static let mostSteps: Int64 = 16_000_000
    private static let millisecond: Int64 = 1_000_000

    /// Nanoseconds.
    let horizon: Int64
    /// The same in steps: milliseconds, as long as there are few enough. A step need not be a whole number of anything, so a
    /// page says both lengths and its script divides.
    let length: Int64

    init(horizon: Int64) {
        self.horizon = max(1, horizon)
        length = min(Self.mostSteps, max(1, self.horizon / Self.millisecond))
    }

    func callAsFunction(_ nanoseconds: Int64) -> Int64 {
        let product = min(max(nanoseconds, 0), horizon).multipliedFullWidth(by: length)
        return horizon.dividingFullWidth(product).quotient
    }

    /// What the script of a page reads.
    var attributes: String { "data-length=\"\(length)\" data-span=\"\(horizon)\"" }

    /// How many nanoseconds become one mark if there are `count` marks and room for `most`; 0: each stays itself.
    func step(_ count: Int, atMost most: Int) -> Int64 { count <= most ? 0 : max(1, horizon / Int64(most)) }
}

/// Bars of one kind, as the `d` of one path.
struct BarPath {
    private(set) var text = ""

    var isEmpty: Bool { text.isEmpty }

    /// From the bottom upwards.
    mutating func add(_ start: Int64, _ end: Int64, top: Int, bottom: Int) {
        let width = max(1, end - start)
        text += "M\(start) \(bottom)h\(width)V\(top)h-\(width)z"
    }

    mutating func stick(_ at: Int64, from: Int, to: Int) { text += "M\(at) \(from)V\(to)" }

    mutating func slope(_ start: Int64, _ first: Int, _ end: Int64, _ last: Int) {
        text += "M\(start) \(first)L\(end) \(last)"
    }

    /// - Parameter hatch: the pattern that fills it; nil: what the style sheet says.
    func svg(_ kind: String, hatch: String? = nil) -> String {
        guard !text.isEmpty else { return "" }
        let fill = hatch.map { " fill=\"url(#\($0))\"" } ?? ""
        return "<path class=\"\(kind)\"\(fill) d=\"\(text)\"/>\n"
    }
}
