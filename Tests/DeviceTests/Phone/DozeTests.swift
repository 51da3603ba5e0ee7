import DeadzoneBase
import DeadzoneDevice
import Testing

@Suite struct DozeTests {
    private static let firstIdle: [(String, TimeSpan)] = [
        ("android-6", .clock(1, 4, 30)), ("android-7", .clock(0, 5)), ("android-8", .clock(0, 5)),
        ("android-9", .clock(0, 3)), ("android-11", .clock(0, 3)), ("android-12", .clock(0, 2)),
        ("android-13", .clock(0, 5)), ("android-16", .clock(0, 5)), ("article-android", .clock(0, 0, 1)),
        ("android-14-oneui", .clock(0, 2)), ("android-15-hyperos", .clock(0, 2)),
    ]

    @Test(arguments: firstIdle)
    func dozeStartsAsTheReleaseDefines(_ name: String, _ at: TimeSpan) throws {
        /// Broken: Doze begins at another time than the release's constants define, or never becomes deep.
        var driver = try PhoneDriver(name)
        driver.screen(false)
        driver.run(until: .clock(1, 5))
        #expect(driver.times(.windowClosed).first == at)
        #expect(driver.phone.isDozingDeeply)
    }

    @Test(arguments: [1, 2, 3] as [Int64])
    func batterySaverDoesNotRestartTheShortWay(_ quarter: Int64) throws {
        /// Broken: battery saver that is switched off and on again before deep idle begins postpones deep idle.
        let name = "android-15"
        let delay = try #require(Platform.named(name)).doze.quickDelay
        var driver = try PhoneDriver(name)
        driver.call { $0.setBatterySaver(true, at: $1, $2) }
        driver.screen(false)
        driver.run(until: .nanoseconds(delay.nanoseconds * quarter / 4))
        driver.call { $0.setBatterySaver(false, at: $1, $2) }
        driver.call { $0.setBatterySaver(true, at: $1, $2) }
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: delay)
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func windowsOfOneNight() throws {
        /// Broken: a window opens or closes at another time, idle times do not grow, or they exceed their limits.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(24, 0))
        let opened: [TimeSpan] = [
            // Light: idle for 5, 10 and 15 minutes, and for 1, 2 and 4 minutes of waiting, with windows of 5 s. The
            // next idle time ends with an alarm of deep Doze.
            .clock(0, 11), .clock(0, 23, 5), .clock(0, 42, 10), .clock(1, 0),
            // Deep from 1:04:30: idle for 1, 2, 4, 6 and 6 hours, with windows of 30 s.
            .clock(2, 4, 30), .clock(4, 5), .clock(8, 5, 30), .clock(14, 6), .clock(20, 6, 30),
        ]
        let closed: [TimeSpan] = [
            .clock(0, 5), .clock(0, 11, 5), .clock(0, 23, 10), .clock(0, 42, 15), .clock(1, 0, 5),
            .clock(2, 5), .clock(4, 5, 30), .clock(8, 6), .clock(14, 6, 30), .clock(20, 7),
        ]
        #expect(driver.times(.windowOpened) == opened)
        #expect(driver.times(.windowClosed) == closed)
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func windowsOfABusyNight() throws {
        /// Broken: with more work than fits, a window does not last its limit, or the limits do not grow.
        var platform = try #require(Platform.named("android-15"))
        platform.doze.work = .longest
        var driver = PhoneDriver(platform)
        driver.screen(false)
        driver.run(until: .clock(24, 0))
        let opened: [TimeSpan] = [
            // Light: idle for 5, 10 and 15 minutes and 1, 2 and 4 minutes of waiting, with windows of a minute. The
            // next idle time ends with an alarm of deep Doze.
            .clock(0, 11), .clock(0, 24), .clock(0, 44), .clock(1, 0),
            // Deep from 1:04:30: idle for 1, 2, 4, 6 and 6 hours, with windows of 5, 10 and 10 minutes.
            .clock(2, 4, 30), .clock(4, 9, 30), .clock(8, 19, 30), .clock(14, 29, 30), .clock(20, 39, 30),
        ]
        let closed: [TimeSpan] = [
            .clock(0, 5), .clock(0, 12), .clock(0, 25), .clock(0, 45), .clock(1, 1),
            .clock(2, 9, 30), .clock(4, 19, 30), .clock(8, 29, 30), .clock(14, 39, 30), .clock(20, 49, 30),
        ]
        #expect(driver.times(.windowOpened) == opened)
        #expect(driver.times(.windowClosed) == closed)
    }

    @Test(arguments: [("android-8", TimeSpan.clock(0, 15)), ("android-12", .clock(0, 5))])
    func workDelaysLightDozeUntilAndroid12(_ name: String, _ at: TimeSpan) throws {
        /// Broken: pre-idle does not wait for work, or does not end at its limit.
        var platform = try #require(Platform.named(name))
        platform.doze.work = .longest
        var driver = PhoneDriver(platform)
        driver.screen(false)
        driver.run(until: .clock(0, 30))
        #expect(driver.times(.windowClosed).first == at)
    }

    @Test func oneUIEntersDeepDozeAfterTheMeasuredTime() throws {
        /// Broken: the measured time is added to a limit of Android's source, or ignored.
        var driver = try PhoneDriver("android-14-oneui")
        driver.screen(false)
        driver.run(until: .milliseconds(2_200_600))
        #expect(!driver.phone.isDozingDeeply)
        driver.run(until: .milliseconds(2_200_700))
        #expect(driver.phone.isDozingDeeply)
    }

    /// Deep idle times of a phone that is never used, without windows.
    private func deepIdle(_ name: String, _ dice: Dice) throws -> [TimeSpan] {
        var driver = PhoneDriver(try #require(Platform.named(name)), dice: dice)
        driver.screen(false)
        driver.run(until: .hours(30))
        let windows = zip(driver.times(.windowOpened), driver.times(.windowClosed).dropFirst())
        let deep = windows.filter { $0.1 - $0.0 == .seconds(30) }
        return zip(deep, deep.dropFirst()).map { $1.0 - $0.1 }
    }

    @Test func untilAndroid11DeepIdleEndsEarly() throws {
        /// Broken: a deep idle time is shortened by more than the system draws, by the same time on every phone, or
        /// since Android 12.
        let nominal: [TimeSpan] = [.hours(2), .hours(4), .hours(6), .hours(6)]
        #expect(try deepIdle("android-12", Dice(fixed: .highest)).prefix(4) == nominal[...])
        for (fixed, minutes) in [(Dice.FixedDraw.lowest, Int64(0)), (.usual, 15), (.highest, 30)] {
            let expected = nominal.map { $0 - .minutes(minutes) }
            #expect(try deepIdle("android-11", Dice(fixed: fixed)).prefix(4) == expected[...])
        }
        var drawn: Set<TimeSpan> = []
        for phone in 0..<200 {
            let dice = Dice(seed: 1, phone: PhoneID(UInt32(phone)), purpose: .doze)
            for (span, nominal) in zip(try deepIdle("android-6", dice), nominal) {
                #expect(span <= nominal && nominal - span <= .minutes(30))
                drawn.insert(nominal - span)
            }
        }
        #expect(drawn.count > 700)
        #expect(drawn.contains { $0 < .minutes(1) } && drawn.contains { .minutes(29) < $0 })
    }

    @Test(arguments: [Int64(15), 70])
    func aShortIdleTimeMayEndAtOnce(_ idle: Int64) throws {
        /// Broken: the random time of a short idle time has another range.
        var platform = try #require(Platform.named("android-8"))
        platform.doze.idle = .minutes(idle) - .seconds(1)
        var driver = PhoneDriver(platform, dice: Dice(fixed: .highest))
        driver.screen(false)
        driver.run(until: .hours(3))
        let expected: TimeSpan = idle < 16 ? .zero : .minutes(idle - 15) - .seconds(1)
        #expect(driver.times(.windowOpened).first { $0 >= .clock(1, 4, 30) } == .clock(1, 4, 30) + expected)
    }

    @Test func anAlarmOpensALightWindowEarly() throws {
        /// Broken: light Doze does not begin or end with an alarm of an app in the window of its own alarm, or does so
        /// before the window, or with a packet.
        let alarm: (inout Phone, Instant, Platform) -> PhoneChanges = { $0.fireAlarm(.alarm, for: .wake, at: $1, $2) }
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(0, 3, 59))
        driver.call(alarm)
        #expect(!driver.phone.isDozing)
        driver.run(until: .clock(0, 4, 30))
        driver.call { $0.wakeProcessor(for: .payload, at: $1, $2) }
        #expect(!driver.phone.isDozing)
        driver.call { $0.wakeProcessor(for: .payload, isAlarm: true, at: $1, $2) }
        #expect(driver.phone.isDozing)
        driver.run(until: .clock(0, 9, 29))
        driver.call(alarm)
        #expect(driver.phone.isDozing)
        driver.run(until: .clock(0, 9, 31))
        driver.call(alarm)
        #expect(driver.times(.windowOpened) == [.clock(0, 9, 31)])
    }

    @Test(arguments: ["android-12", "android-14-oneui"])
    func anAlarmThatDoesNotWakeThePhoneWaits(_ name: String) throws {
        /// Broken: the end of light idle wakes the phone, or an alarm of an app does not open the window.
        var driver = try PhoneDriver(name)
        driver.screen(false)
        driver.run(until: .clock(0, 29))
        #expect(driver.phone.isDozing && driver.times(.windowOpened).isEmpty)
        driver.call { $0.fireAlarm(.whileIdle, for: .wake, at: $1, $2) }
        #expect(driver.times(.windowOpened) == [.clock(0, 29)])
    }
}
