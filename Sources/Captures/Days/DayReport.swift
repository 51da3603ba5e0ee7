/// The answer to a battery history: what happened, what is missing, and how well the models agree with it.
package struct DayReport: Sendable {
    /// File name without its folder.
    package let name: String
    package let tool: String
    package let day: PhoneDay
    /// `nil` if the phone never dozed and the model does not either.
    package let doze: DozeComparison?
    /// `nil` if the day was not simulated, or no radio was ever busy.
    package var radio: RadioAgreement?

    package init(name: String, tool: String, day: PhoneDay, doze: DozeComparison?) {
        self.name = name
        self.tool = tool
        self.day = day
        self.doze = doze
    }
}

/// Recorded Doze beside that of a platform's model, driven with the recorded screen, charger and battery saver.
/// Movement is not recorded; the model assumes a phone at rest.
package struct DozeComparison: Sendable {
    package let platform: String
    package let recordedLight: DozeSpans
    package let recordedDeep: DozeSpans
    /// The platform with the numbers of Android's source.
    package let shipped: DozeAgreement
    /// The platform with the times that the recording shows, as in the scenario.
    package let adjusted: DozeAgreement

    package init(_ day: PhoneDay, platform: String, shipped: Lane<RecordedDoze>, adjusted: Lane<RecordedDoze>) {
        self.platform = platform
        let atRest = day.atRest
        recordedLight = DozeSpans(day, day.doze, .light, atRest)
        recordedDeep = DozeSpans(day, day.doze, .deep, atRest)
        self.shipped = DozeAgreement(day, shipped, atRest)
        self.adjusted = DozeAgreement(day, adjusted, atRest)
    }
}

/// How long a simulated Doze is in the same state as the recorded one.
package struct DozeAgreement: Sendable {
    package let simulated: Lane<RecordedDoze>
    /// Milliseconds in the same state, of all milliseconds of the day.
    package let same: Int64
    package let length: Int64
    /// The same while the screen was off and the phone was on battery.
    package let sameAtRest: Int64
    package let rest: Int64
    package let light: DozeSpans
    package let deep: DozeSpans

    init(_ day: PhoneDay, _ simulated: Lane<RecordedDoze>, _ atRest: Lane<Bool>) {
        self.simulated = simulated
        length = day.length
        var isSame = Lane(false)
        Lane.pairs(day.doze, simulated) { start, _, recorded, model in isSame.set(recorded == model, at: start) }
        isSame.finish(at: day.length)
        same = isSame.total { $0 }
        rest = atRest.total { $0 }
        sameAtRest = isSame.total(where: { $0 }, while: atRest) { $0 }
        light = DozeSpans(day, simulated, .light, atRest)
        deep = DozeSpans(day, simulated, .deep, atRest)
    }
}

/// How long the radios of a simulated day are busy together with the recorded ones. The messages of the app and the
/// sizes of other traffic are assumed, so this shows whether the amount of traffic is plausible.
package struct RadioAgreement: Hashable, Sendable {
    package let strategy: String
    /// Milliseconds in which both say the same about both radios.
    package let same: Int64
    package let length: Int64
    package let recordedBusy: Int64
    package let simulatedBusy: Int64

    /// `nil` if no radio was ever busy.
    package init?(strategy: String, _ day: PhoneDay, mobile: Lane<Bool>, wifi: Lane<Bool>) {
        self.strategy = strategy
        let recorded = Self.either(day.mobileBusy, day.wifiBusy, day.length)
        let simulated = Self.either(mobile, wifi, day.length)
        recordedBusy = recorded.total { $0 }
        simulatedBusy = simulated.total { $0 }
        guard recordedBusy > 0 else { return nil }
        length = day.length
        var sum: Int64 = 0
        Lane.pairs(recorded, simulated) { start, end, a, b in
            if a == b { sum += end - start }
        }
        same = sum
    }

    private static func either(_ a: Lane<Bool>, _ b: Lane<Bool>, _ length: Int64) -> Lane<Bool> {
        var lane = Lane(false)
        Lane.pairs(a, b) { start, _, a, b in lane.set(a || b, at: start) }
        lane.finish(at: length)
        return lane
    }
}
