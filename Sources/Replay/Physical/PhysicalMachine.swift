/// A radio, as packets tell of it.
protocol PhysicalMachine: Sendable {
    var book: LevelBook { get set }
    /// Packets come in the order of time.
    mutating func fold(_ blip: Blip)
    mutating func finish(_ end: ReplayWindow.End)
}

extension PhysicalMachine {
    /// Takes packets, and says of each what it cost.
    mutating func fold(_ order: TimeOrder, _ tolls: inout [Toll]) {
        let blips = order.blips.span.extracting(order.settled)
        var tolls = tolls.mutableSpan
        for index in blips.indices {
            fold(blips[index])
            tolls[index] = book.takeToll()
        }
    }
}

/// What a packet cost: the radio time since the packet before it, idle apart, and what it caused itself.
struct Toll: Sendable, BitwiseCopyable {
    var before = 0.0
    var own = 0.0
}
