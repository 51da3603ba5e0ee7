import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives

/// Messages that come only when the app has asked for them. Asks stack up; each message takes one.
extension Lane {
    /// Nothing is asked for that has not come.
    func isUnasked(_ rules: Intake) -> Bool { rules.asks != nil && consumption?.pointee.credits == 0 }

    /// A process begins, and with it its call.
    mutating func askFirst(_ stage: inout Stage) {
        guard let consumption, let asks = stage.strategy.intake.asks else { return }
        consumption.pointee.credits = 0
        consumption.pointee.shownSinceAsk = 0
        stack(asks.first, &stage)
    }

    /// The consumer has taken so many messages more.
    mutating func askAgain(after shown: UInt32, _ stage: inout Stage) {
        guard let consumption, let asks = stage.strategy.intake.asks, asks.then > 0 else { return }
        consumption.pointee.shownSinceAsk += shown
        while consumption.pointee.shownSinceAsk >= asks.after {
            consumption.pointee.shownSinceAsk -= asks.after
            stack(asks.then, &stage)
        }
    }

    /// The strategy asks, by a script of its own.
    mutating func askFor(_ count: UInt32, _ stage: inout Stage) {
        guard stage.strategy.intake.asks != nil, consumption != nil else { return }
        stack(count, &stage)
        advanceConsumption(&stage)
    }

    private mutating func stack(_ count: UInt32, _ stage: inout Stage) {
        guard let consumption, count > 0 else { return }
        let (sum, isTooMany) = consumption.pointee.credits.addingReportingOverflow(count)
        consumption.pointee.credits = isTooMany ? .max : sum
        journal(.messagesAsked, value: Int64(count), &stage)
    }
}
