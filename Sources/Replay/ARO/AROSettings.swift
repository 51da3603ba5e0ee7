import DeadzoneBase
import DeadzoneDevice

/// Converts this program's profiles to ARO's parameters.
extension AROCellularSettings {
    init(_ profile: RadioProfile, _ timers: CellularTimers, _ sheet: ProfileSource) {
        let inactivity = timers.drx.inactivity
        let shortEnd = inactivity + timers.drx.shortSpan
        let hasParts = timers.tail.step(after: inactivity).level != .tail
        self.init(
            promotion: timers.promotion.seconds, promotionPower: profile.power(.promotion).watts,
            inactivity: inactivity.seconds,
            shortDRX: hasParts ? timers.drx.shortSpan.seconds : 0,
            longDRX: (hasParts ? timers.tail.end - shortEnd : timers.tail.end - inactivity).seconds,
            beta: profile.power(.activeDown).watts,
            alphaUp: profile.costUp.milliwattsPerMegabit, alphaDown: profile.costDown.milliwattsPerMegabit,
            short: ARODutyCycle(sheet, "short-drx", else: profile.power(.shortDRX)),
            long: ARODutyCycle(sheet, "long-drx", else: profile.power(hasParts ? .longDRX : .tail)),
            idle: ARODutyCycle(sheet, "paging", off: "sleep-power", else: profile.power(.idle)))
    }
}

extension ARODutyCycle {
    /// A duty cycle from the profile; without one, the mean power all the time.
    fileprivate init(_ sheet: ProfileSource, _ name: String, off: String? = nil, else mean: Power) {
        func value(_ parameter: String, _ measure: QuantityKind) -> Double? {
            sheet.numbers.last { $0.parameter == parameter }.flatMap { measure.value(of: $0.value) }.map { Double($0) }
        }
        let watts = mean.watts
        guard let period = value("\(name)-cycle", .span), let ping = value("\(name)-on-time", .span),
            let on = value("\(name)-on-power", .power), let rest = value(off ?? "\(name)-off-power", .power)
        else {
            self.init(period: 1, ping: 1, pingPower: watts, restPower: watts)
            return
        }
        self.init(period: period / 1e9, ping: ping / 1e9, pingPower: on / 1e6, restPower: rest / 1e6)
    }
}

extension AROUMTSSettings {
    init(_ profile: RadioProfile, _ timers: UMTSTimers) {
        func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 }
        self.init(
            idleToDCH: timers.idleToDCH.seconds, dchTimer: timers.dchInactivity.seconds,
            fachTimer: timers.fachInactivity.seconds, resetSize: Int(timers.dchResetBytes),
            resetWindow: timers.dchResetWindow.seconds, upLimit: Int(timers.up.fachLimit),
            downLimit: Int(timers.down.fachLimit),
            upDrain: (
                milliseconds(timers.up.constant), milliseconds(timers.up.linear), milliseconds(timers.up.quadratic)
            ),
            downDrain: (milliseconds(timers.down.constant), milliseconds(timers.down.linear)),
            idlePower: profile.power(.idle).watts, idleToDCHPower: profile.power(.promotion).watts,
            fachToDCHPower: profile.power(.secondPromotion).watts, dchPower: profile.power(.dch).watts,
            fachPower: profile.power(.fach).watts)
    }
}

extension TimeSpan {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Power {
    /// A femtojoule in a nanosecond is a microwatt.
    var watts: Double { Double(femtojoules) / Double(cycle) / 1e6 }
}

extension BitCost {
    /// One milliwatt per megabit per second is one nanojoule per bit.
    var milliwattsPerMegabit: Double { Double(femtojoules) / 1e6 }
}
