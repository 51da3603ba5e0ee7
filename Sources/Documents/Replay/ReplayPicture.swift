import DeadzoneDevice
public import DeadzoneMetrics
public import DeadzonePrimitives

/// What the radio drew and carried, over the time of a capture.
public struct ReplayPicture: Sendable {
    public struct Column: Sendable {
        public var joules: [RadioState: Double]
        public var up: (packets: Int, bytes: Int)
        public var down: (packets: Int, bytes: Int)

        public init(joules: [RadioState: Double], up: (packets: Int, bytes: Int), down: (packets: Int, bytes: Int)) {
            self.joules = joules
            self.up = up
            self.down = down
        }

        public var total: Double { RadioState.allCases.reduce(0) { $0 + (joules[$1] ?? 0) } }
    }

    /// Where the first column begins, in seconds since 1970.
    public var begin: Billionths
    /// Of a column, in nanoseconds.
    public var length: Int64
    public var columns: [Column]

    public init(begin: Billionths, length: Int64, columns: [Column]) {
        self.begin = begin
        self.length = length
        self.columns = columns
    }

    public var horizon: Int64 { length * Int64(columns.count) }

    /// Nanoseconds since the beginning.
    public func place(_ moment: Billionths) -> Int64 { Int64(clamping: moment.count - begin.count) }
}
