import DeadzoneBase
import DeadzoneDevice
import Testing

/// Events that end Doze, and events that prevent it.
@Suite struct DozeInterruptionTests {
    @Test func motionPreventsDeepDozeButNotLightDoze() throws {
        /// Broken: motion during motion sensing does not delay deep Doze, or ends light Doze.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(0, 40))
        driver.call { $0.setMoving(true, at: $1, $2).union($0.setMoving(false, at: $1, $2)) }
        let before = driver.times(.windowOpened)
        driver.run(until: .clock(1, 24, 29))
        #expect(!driver.phone.isDozingDeeply)
        // Inactive for 10 minutes from the motion, then 30, 4 and a half.
        driver.run(until: .clock(1, 24, 30))
        #expect(driver.phone.isDozingDeeply)
        #expect(driver.times(.windowOpened) == before + [.clock(0, 42, 10), .clock(1, 5, 15), .clock(1, 24)])
    }

    @Test func motionEndsDeepDoze() throws {
        /// Broken: motion in deep idle opens no window, or light and deep Doze restart at other times.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(1, 30))
        #expect(driver.phone.isDozingDeeply)
        driver.call { $0.setMoving(true, at: $1, $2).union($0.setMoving(false, at: $1, $2)) }
        #expect(driver.times(.pushesMayCome).last == .clock(1, 30) && driver.times(.windowOpened).count == 4)
        driver.run(until: .clock(1, 35))
        #expect(driver.times(.windowClosed).last == .clock(1, 35))
        driver.run(until: .clock(2, 14, 29))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(2, 14, 30))
        #expect(driver.phone.isDozingDeeply)
    }

    @Test(arguments: [("android-7", 28), ("android-12", 22), ("android-15", 24)])
    func aMovingPhoneNeverEntersDeepDoze(_ name: String, windows: Int) throws {
        /// Broken: a phone that keeps moving enters deep Doze, or does not enter light Doze.
        var driver = try PhoneDriver(name)
        driver.screen(false)
        driver.call { $0.setMoving(true, at: $1, $2) }
        var deep = 0
        for minute in 1...Int64(480) {
            driver.run(until: .minutes(minute))
            if driver.phone.isDozingDeeply { deep += 1 }
        }
        #expect(deep == 0)
        // A short window after every quarter of an hour. Since Android 12 it waits for an alarm of deep Doze, which comes
        // every ten minutes.
        #expect(driver.times(.windowOpened).count >= windows)
    }

    @Test(arguments: ["screen", "charger"])
    func theScreenAndTheChargerEndDozeAtOnce(_ what: String) throws {
        /// Broken: a phone in use or on the charger stays in Doze, or its Doze timers continue from where they were.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(3, 0))
        #expect(!driver.phone.networkIsAllowed)
        driver.call { what == "screen" ? $0.setScreen(true, at: $1, $2) : $0.setCharging(true, at: $1, $2) }
        #expect(!driver.phone.isDozing)
        #expect(driver.times(.pushesMayCome).last == .clock(3, 0))
        driver.call { what == "screen" ? $0.setScreen(false, at: $1, $2) : $0.setCharging(false, at: $1, $2) }
        driver.run(until: .clock(4, 4, 29))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(4, 4, 30))
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func batterySaverEntersDeepDozeQuickly() throws {
        /// Broken: quick Doze starts late, or motion ends it.
        var driver = try PhoneDriver("android-15")
        driver.call { $0.setBatterySaver(true, at: $1, $2) }
        driver.screen(false)
        driver.run(until: .clock(0, 0, 59))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(0, 1))
        #expect(driver.phone.isDozingDeeply)
        driver.call { $0.setMoving(true, at: $1, $2) }
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func anUpcomingAlarmClockDelaysDeepIdle() throws {
        /// Broken: Doze continues towards deep idle although the alarm clock is about to ring.
        var driver = try PhoneDriver("android-15")
        driver.call { $0.setAlarmClock(.zero + .minutes(50), at: $1, $2) }
        driver.screen(false)
        driver.run(until: .clock(1, 54, 29))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(1, 54, 30))
        #expect(driver.phone.isDozingDeeply)
    }

    @Test(arguments: [true, false])
    func deepIdleEndsBeforeTheAlarmClock(isSetBefore: Bool) throws {
        /// Broken: the phone stays in deep idle until its window although the alarm clock rings earlier.
        var driver = try PhoneDriver("android-15")
        // Idle from 4:05:30 to 8:05:30.
        if isSetBefore { driver.call { $0.setAlarmClock(.zero + .hours(7), at: $1, $2) } }
        driver.screen(false)
        driver.run(until: .clock(5, 0))
        if !isSetBefore { driver.call { $0.setAlarmClock(.zero + .hours(7), at: $1, $2) } }
        driver.run(until: .clock(6, 57, 59))
        #expect(driver.phone.isDozingDeeply)
        driver.run(until: .clock(6, 58))
        #expect(!driver.phone.isDozing && driver.times(.pushesMayCome).last == .clock(6, 58))
        // Inactive again from the alarm clock on.
        driver.run(until: .clock(8, 4, 29))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(8, 4, 30))
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func batterySaverInDeepIdleLetsMotionEndItOnce() throws {
        /// Broken: motion does not end a deep idle that began before battery saver, or also ends the next one.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(1, 30))
        driver.call { $0.setBatterySaver(true, at: $1, $2) }
        #expect(driver.phone.isDozingDeeply)
        driver.call { $0.setMoving(true, at: $1, $2) }
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .clock(1, 31))
        #expect(driver.phone.isDozingDeeply)
        driver.call { $0.setMoving(false, at: $1, $2).union($0.setMoving(true, at: $1, $2)) }
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func batterySaverKeepsAnOpenWindow() throws {
        /// Broken: switching on battery saver in a deep maintenance window ends the window.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(2, 4, 45))
        #expect(driver.times(.windowOpened).last == .clock(2, 4, 30))
        let closed = driver.times(.windowClosed)
        driver.call { $0.setBatterySaver(true, at: $1, $2) }
        driver.run(until: .clock(2, 4, 59))
        #expect(driver.times(.windowClosed) == closed && !driver.phone.isDozingDeeply)
        driver.run(until: .clock(2, 5))
        #expect(driver.times(.windowClosed) == closed + [.clock(2, 5)] && driver.phone.isDozingDeeply)
    }

    @Test func aWindowEndsWithItsWork() throws {
        /// Broken: a window with little work lasts its maximum length, or less than the minimum.
        var platform = try #require(Platform.named("android-15"))
        platform.doze.work = .seconds(10)
        var driver = PhoneDriver(platform)
        driver.screen(false)
        driver.run(until: .clock(2, 10))
        #expect(Array(driver.times(.windowClosed).prefix(2)) == [.clock(0, 5), .clock(0, 11, 10)])
        #expect(driver.times(.windowOpened).last == .clock(2, 4, 30))
        #expect(driver.times(.windowClosed).last == .clock(2, 5))
    }
}
