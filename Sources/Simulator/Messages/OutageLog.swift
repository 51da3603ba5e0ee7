package import DeadzoneBase

/// The reasons why the phone had no working connection, in the order in which they applied. Each is stored with the
/// first messages that it concerns, so that a message that is lost later can be charged to it.
///
///     connected ──▶ dead connection ──▶ app stopped ──▶ not connected ──▶ connected
///                   from message 12     from message 15  from message 90   from message 92
///
/// The first reason of an outage also concerns the messages that were in flight when it began. Where this is
/// inaccurate: if there are more than `capacity` reasons, the oldest is charged to the one after it.
package struct OutageLog: BitwiseCopyable, Sendable {
    /// One reason, and the timeline change that led to it.
    package struct OutageReason: Hashable, BitwiseCopyable, Sendable {
        package var cause: LossCause
        /// Index of the timeline change; `nil` if none led to the outage.
        package var change: UInt16?

        package init(_ cause: LossCause, change: UInt16?) {
            self.cause = cause
            self.change = change
        }
    }

    private struct OutageStep: BitwiseCopyable, Sendable {
        var firstDown: UInt32 = 0
        var firstUp: UInt32 = 0
        /// Index of the timeline change plus 1; 0 if there is none.
        var change: UInt16 = 0
        var cause = LossCause.notConnected

        var outage: OutageReason { OutageReason(cause, change: change == 0 ? nil : change - 1) }
    }

    private static let capacity = 4
    private var steps = InlineArray<4, OutageStep>(repeating: OutageStep())
    /// At the start of the run no connection exists: the first step covers all messages.
    private var count: UInt8 = 1
    private var isOpen = true
    /// The first messages after the latest outage; the largest number during an outage.
    private var endDown = UInt32.max
    private var endUp = UInt32.max

    /// The present reason; `nil` if the phone has a working connection.
    package var current: OutageReason? { isOpen ? steps[Int(count) - 1].outage : nil }

    /// The latest reason with this cause; `nil` if the log has none.
    func latest(_ cause: LossCause) -> OutageReason? {
        for index in (0..<Int(count)).reversed() where steps[index].cause == cause { return steps[index].outage }
        return nil
    }

    /// Begins an outage, or gives the present one another reason.
    /// - Parameters:
    ///   - down: Index of the first message to the app that the reason concerns.
    ///   - up: Index of the first message to the server that the reason concerns.
    package mutating func begin(_ outage: OutageReason, down: UInt32, up: UInt32) {
        if Int(count) == Self.capacity {
            for index in 1..<Self.capacity {
                let (down, up) = (steps[index - 1].firstDown, steps[index - 1].firstUp)
                let isFirst = index == 1
                steps[index - 1] = steps[index]
                if isFirst {
                    steps[0].firstDown = min(down, steps[0].firstDown)
                    steps[0].firstUp = min(up, steps[0].firstUp)
                }
            }
            count -= 1
        }
        steps[Int(count)] = OutageStep(
            firstDown: down, firstUp: up, change: outage.change.map { $0 == .max ? 0 : $0 + 1 } ?? 0,
            cause: outage.cause)
        count += 1
        isOpen = true
        endDown = .max
        endUp = .max
    }

    /// Ends the outage: a connection works. Later messages are not concerned.
    package mutating func end(down: UInt32, up: UInt32) {
        isOpen = false
        endDown = down
        endUp = up
    }

    /// Returns the reason that concerns a message, and the index of the first later message with another one. `nil` as
    /// the reason if a connection worked when the message was written.
    func outage(of message: UInt32, _ direction: Direction) -> (outage: OutageReason?, end: UInt32) {
        let end = direction == .down ? endDown : endUp
        guard message < end else { return (nil, .max) }
        var found = 0
        for index in 0..<Int(count) where first(index, direction) <= message { found = index }
        var next = end
        for index in found..<Int(count) where message < first(index, direction) {
            next = min(next, first(index, direction))
        }
        return (steps[found].outage, next)
    }

    private func first(_ index: Int, _ direction: Direction) -> UInt32 {
        direction == .down ? steps[index].firstDown : steps[index].firstUp
    }
}
