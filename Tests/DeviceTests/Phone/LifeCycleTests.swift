import DeadzoneBase
import DeadzoneDevice
import Testing

@Suite struct LifeCycleTests {
    @Test func aFrozenAppRunsForItsAlarms() throws {
        /// Broken: an alarm does not unfreeze an app, or the app does not run for exactly its handler's time plus the
        /// delay.
        var driver = try PhoneDriver("android-15")
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.run(until: .seconds(60))
        #expect(!driver.phone.appRuns)
        driver.call { $0.fireAlarm(.alarm, for: .keepalive, at: $1, $2) }
        #expect(driver.phone.appRuns)
        driver.run(until: .seconds(120))
        #expect(driver.times(.appResumed) == [.seconds(60)])
        #expect(driver.times(.appSuspended) == [.seconds(10), .seconds(71)])
    }

    @Test(arguments: [AppPrivileges(isExempt: true), AppPrivileges(hasForegroundService: true)])
    func privilegesKeepAnAppRunning(_ privileges: AppPrivileges) throws {
        /// Broken: an app with a foreground service or an exemption is frozen or loses its network.
        var driver = try PhoneDriver("android-15", privileges)
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.run(until: .hours(1))
        #expect(driver.phone.appRuns)
        #expect(driver.times([.appSuspended, .networkBlocked]).isEmpty)
    }

    @Test func inTheBackgroundAndroid15ClosesTheNetwork() throws {
        /// Broken: the network of an app in the background stays open, or does not open for an alarm.
        var driver = try PhoneDriver("android-15")
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.run(until: .seconds(60))
        driver.call { $0.fireAlarm(.alarm, for: .keepalive, at: $1, $2) }
        driver.run(until: .seconds(120))
        #expect(driver.times(.networkBlocked) == [.seconds(5), .seconds(66)])
        #expect(driver.times(.networkUnblocked) == [.seconds(60)])
    }

    @Test func anOEMKillerEndsAppsWithoutExemption() throws {
        /// Broken: an OEM's app killer spares an app, kills an exempt one, or lets a push restart a killed app.
        for isExempt in [false, true] {
            var driver = try PhoneDriver("android-oem-killer", AppPrivileges(isExempt: isExempt))
            driver.call { $0.setForeground(false, at: $1, $2) }
            driver.run(until: .hours(1))
            #expect(driver.times(.appKilled) == (isExempt ? [] : [.minutes(5)]))
            let push1 = driver.push(urgent: true)
            #expect(push1 == isExempt)
            #expect(driver.fires(.hours(2), .alarm) == (isExempt ? .zero + .hours(2) : .never))
            driver.call { $0.setForeground(true, at: $1, $2) }
            #expect(driver.phone.appHasProcess)
            #expect(driver.times(.appStarted) == (isExempt ? [] : [.hours(1)]))
        }
    }

    @Test func aPushRestartsOnlyAppsThatTheSystemEnded() throws {
        /// Broken: a push restarts an app that the user ended, or does not restart an app that the system ended.
        for (name, byUser) in [("ios-18", true), ("ios-18", false), ("android-15", true), ("android-15", false)] {
            var driver = try PhoneDriver(name)
            driver.screen(false)
            driver.call { $0.killApp(byUser: byUser, at: $1, $2) }
            #expect(!driver.phone.appHasProcess)
            driver.run(until: .minutes(1))
            let push2 = driver.push(urgent: true)
            #expect(push2 != byUser)
            #expect(driver.phone.appHasProcess != byUser)
            #expect(driver.times(.appStarted).count == (byUser ? 0 : 1))
        }
    }

    @Test func aPushDoesNotSuspendAnAppWithoutLimits() throws {
        /// Broken: the limited running time that a push grants replaces an unlimited one.
        var platform = try #require(Platform.named("ios-18"))
        platform.life.suspendsAfter = .longest
        platform.life.taskTime = .longest
        var driver = PhoneDriver(platform)
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.run(until: .minutes(10))
        let pushed = driver.push(urgent: false)
        driver.run(until: .hours(1))
        #expect(driver.times(.appSuspended).isEmpty && driver.phone.appRuns)
        #expect(pushed)
    }

    @Test(arguments: ["android-15", "ios-18"])
    func screenOnRestartsAnAppThatTheSystemEndedInTheDark(_ name: String) throws {
        /// Broken: an app that the system ended while the screen was dark stays dead after screen-on. Or an app that
        /// ended while the screen was on restarts without the user.
        for (isDark, byUser) in [(true, false), (true, true), (false, false)] {
            var driver = try PhoneDriver(name)
            driver.run(until: .minutes(1))
            if isDark { driver.screen(false) }
            driver.call { $0.killApp(byUser: byUser, at: $1, $2) }
            driver.run(until: .minutes(2))
            if !isDark { driver.screen(false) }
            driver.screen(true)
            #expect(driver.phone.appIsInFront == (isDark && !byUser))
            #expect(driver.phone.isForeground == driver.phone.appIsInFront)
            driver.call { $0.setForeground(true, at: $1, $2) }
            #expect(driver.phone.appIsInFront)
            #expect(driver.times(.appStarted) == [.minutes(2)])
        }
    }

    @Test func android6KeepsSocketsOfLostNetworks() throws {
        /// Broken: a release destroys sockets before the AOSP commit that introduced this, or a later release does not.
        for (name, destroys) in [("android-6", false), ("android-7", true), ("android-15", true)] {
            #expect(try #require(Platform.named(name)).networks.destroysSockets == destroys)
        }
    }

    @Test func iosReclaimsTheSocketsOfASuspendedApp() throws {
        /// Broken: sockets of a suspended app live for ever, or are reclaimed from an app that resumed in time.
        for returns in [false, true] {
            var driver = try PhoneDriver("ios-18")
            driver.screen(false)
            driver.run(until: .seconds(50))
            if returns { driver.screen(true) }
            driver.run(until: .minutes(5))
            #expect(driver.times(.socketsReclaimed) == (returns ? [] : [.seconds(65)]))
            #expect(driver.times(.appSuspended) == [.seconds(5)])
        }
    }

    @Test func iosGrantsBackgroundRefreshOnRequest() throws {
        /// Broken: background refresh does not happen, or has another length.
        for asks in [false, true] {
            var driver = try PhoneDriver("ios-18", AppPrivileges(requestsTime: asks))
            driver.screen(false)
            driver.run(until: .hours(9))
            #expect(driver.times(.timeGranted) == (asks ? [.hours(4), .hours(8)] : []))
            #expect(driver.times(.appResumed) == (asks ? [.hours(4), .hours(8)] : []))
            #expect(driver.times(.appSuspended).last == (asks ? .hours(8) + .seconds(30) : .seconds(5)))
        }
    }
}
