import DeadzoneBase
import DeadzoneDevice
import Testing

/// When alarms, jobs and pushes may run, and how often.
@Suite struct QuotaTests {
    private static let buckets: [(StandbyBucket, Int, TimeSpan)] = [
        (.working, 10, .hours(1)), (.frequent, 2, .hours(1)), (.rare, 1, .hours(1)), (.restricted, 1, .hours(24)),
    ]

    @Test(arguments: buckets)
    func alarmsOfABucket(_ bucket: StandbyBucket, _ count: Int, _ window: TimeSpan) throws {
        /// Broken: a bucket lets too many or too few alarms through, or its window has another length.
        var driver = try Self.pinned(bucket)
        for _ in 0..<count {
            #expect(driver.fires(.zero, .alarm) == Instant.zero)
            driver.call { $0.fireAlarm(.alarm, for: .keepalive, at: $1, $2) }
        }
        #expect(driver.fires(.zero, .alarm) == Instant.zero + window)
        #expect(driver.fires(.zero, .whileIdle) == .zero)
        #expect(driver.phone.bucket == bucket)
    }

    @Test(arguments: [(StandbyBucket.working, 6), (.frequent, 30), (.rare, 120)] as [(StandbyBucket, Int64)])
    func android9HasDelaysBetweenAlarms(_ bucket: StandbyBucket, _ minutes: Int64) throws {
        /// Broken: alarms of a bucket come in bursts on a release that has minimum delays and no quotas.
        var platform = try #require(Platform.named("android-9"))
        platform.standby.pinned = bucket
        var driver = PhoneDriver(platform)
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.call { $0.fireAlarm(.alarm, for: .keepalive, at: $1, $2) }
        #expect(driver.fires(.zero, .alarm) == .zero + .minutes(minutes))
    }

    private static let jobs: [(StandbyBucket, Int, TimeSpan)] = [
        // Sixty jobs of ten seconds (ten minutes), or the job count if that is reached first.
        (.active, 60, .minutes(10)), (.working, 60, .hours(2)), (.frequent, 60, .hours(8)), (.rare, 48, .hours(24)),
        (.restricted, 10, .hours(24)),
    ]

    @Test(arguments: jobs)
    func jobsOfABucket(_ bucket: StandbyBucket, _ count: Int, _ window: TimeSpan) throws {
        /// Broken: a bucket's jobs are counted wrongly, or their running time is not counted.
        var driver = try Self.pinned(bucket)
        for _ in 0..<count {
            #expect(driver.fires(.zero, .job) == .zero)
            driver.call { $0.fireAlarm(.job, for: .poll, at: $1, $2) }
        }
        #expect(driver.fires(.zero, .job) == Instant.zero + window)
        #expect(driver.phone.bucket == bucket)
    }

    @Test func anUnusedAppDropsToLowerBuckets() throws {
        /// Broken: a bucket is reached at another time than its thresholds of elapsed and screen time define.
        var driver = try PhoneDriver("android-15")
        driver.call { $0.setForeground(false, at: $1, $2) }
        let thresholds: [(Int64, StandbyBucket)] = [(12, .working), (24, .frequent), (48, .rare), (192, .restricted)]
        for (hours, bucket) in thresholds {
            driver.run(until: .hours(hours) - .nanoseconds(1))
            #expect(driver.phone.bucket < bucket)
            driver.run(until: .hours(hours))
            #expect(driver.phone.bucket == bucket)
        }
        driver.call { $0.setForeground(true, at: $1, $2) }
        #expect(driver.phone.bucket == .active)
    }

    @Test func withoutScreenTimeTheBucketStops() throws {
        /// Broken: time with the screen off counts as screen time.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .hours(100))
        #expect(driver.phone.bucket == .working)
        driver.call { $0.setForeground(false, at: $1, $2) }
        driver.screen(true)
        driver.run(until: .hours(101))
        #expect(driver.phone.bucket == .frequent)
        driver.run(until: .hours(102))
        #expect(driver.phone.bucket == .rare)
    }

    @Test func dozeDefersAlarmsAndJobs() throws {
        /// Broken: an alarm, an exact alarm or a job runs at the wrong time in light or deep Doze.
        var platform = try #require(Platform.named("android-15"))
        platform.doze.idle = .hours(6)
        var driver = PhoneDriver(platform)
        driver.screen(false)
        driver.run(until: .clock(0, 5))
        #expect(driver.fires(.minutes(6), .alarm) == .zero + .minutes(6))
        #expect(driver.fires(.minutes(6), .job) == .zero + .minutes(11))
        #expect(driver.fires(.minutes(6), .none) == .never)
        driver.run(until: .clock(1, 4, 30))
        #expect(driver.fires(.minutes(70), .alarm) == .zero + .clock(7, 4, 30))
        #expect(driver.fires(.minutes(70), .job) == .zero + .clock(7, 4, 30))
        for _ in 0..<72 {
            #expect(driver.fires(.minutes(60), .whileIdle) <= driver.now)
            driver.call { $0.fireAlarm(.whileIdle, for: .keepalive, at: $1, $2) }
        }
        #expect(driver.fires(.minutes(60), .whileIdle) == .zero + .clock(2, 4, 30))
        #expect(driver.phone.networkIsAllowed)
        driver.run(until: .clock(1, 4, 40))
        #expect(!driver.phone.networkIsAllowed)
        #expect(driver.times(.networkBlocked).last == .clock(1, 4, 40))
    }

    @Test func beforeAndroid12ExactAlarmsRunOnceInNineMinutes() throws {
        /// Broken: an exact alarm runs more often in Doze than every nine minutes, or not at all.
        var driver = try PhoneDriver("android-9")
        driver.screen(false)
        driver.run(until: .clock(1, 10))
        #expect(driver.fires(.minutes(60), .whileIdle) <= driver.now)
        driver.call { $0.fireAlarm(.whileIdle, for: .keepalive, at: $1, $2) }
        #expect(driver.fires(.minutes(71), .whileIdle) == .zero + .minutes(79))
        #expect(driver.phone.isDozingDeeply)
    }

    @Test func effectsOfAppPrivileges() throws {
        /// Broken: an exemption does not free alarms, jobs and packets, or a foreground service frees more than
        /// packets.
        for privileges in [AppPrivileges(isExempt: true), AppPrivileges(hasForegroundService: true), AppPrivileges()] {
            var driver = try PhoneDriver("android-15", privileges)
            driver.screen(false)
            driver.run(until: .clock(1, 10))
            let window = Instant.zero + .clock(2, 4, 30)
            #expect(driver.phone.networkIsAllowed == (privileges != AppPrivileges()))
            #expect(driver.fires(.minutes(71), .alarm) == (privileges.isExempt ? .zero + .minutes(71) : window))
            #expect(driver.fires(.minutes(71), .job) == (privileges.isExempt ? .zero + .minutes(71) : window))
            driver.call { $0.setWakeLock(true, at: $1, $2) }
            #expect(driver.phone.processorIsAwake == (privileges != AppPrivileges()))
            #expect(driver.phone.isDozingDeeply)
        }
    }

    @Test func urgentPushesArriveInDozeAndOthersWait() throws {
        /// Broken: an urgent push waits, opens no network, or a normal push does not wait for its window.
        var driver = try PhoneDriver("android-15")
        driver.screen(false)
        driver.run(until: .clock(1, 10))
        let push1 = driver.push(urgent: false)
        #expect(!push1)
        let push2 = driver.push(urgent: true)
        #expect(push2)
        #expect(driver.phone.networkIsAllowed && driver.phone.appRuns)
        driver.run(until: .clock(1, 15) - .nanoseconds(1))
        #expect(driver.phone.networkIsAllowed)
        driver.run(until: .clock(1, 15))
        #expect(!driver.phone.networkIsAllowed)
        driver.run(until: .clock(2, 4, 30))
        let push3 = driver.push(urgent: false)
        #expect(push3)
    }

    @Test func urgentPushesOfARareAppAreCounted() throws {
        /// Broken: before Android 13 a rare app receives more than five urgent pushes a day, or since then fewer.
        for (name, isCounted) in [("android-12", true), ("android-13", false)] {
            var platform = try #require(Platform.named(name))
            platform.standby.pinned = .rare
            var driver = PhoneDriver(platform)
            driver.screen(false)
            driver.run(until: .clock(1, 10))
            for _ in 0..<5 {
                let push4 = driver.push(urgent: true)
                #expect(push4)
            }
            let push5 = driver.push(urgent: true)
            #expect(push5 == !isCounted)
        }
    }

    @Test func backgroundPushesOnIOSHaveABudget() throws {
        /// Broken: a fourth background push in an hour is not deferred, or never arrives.
        var driver = try PhoneDriver("ios-18")
        driver.screen(false)
        driver.run(until: .clock(0, 10))
        for _ in 0..<3 {
            let push6 = driver.push(urgent: false)
            #expect(push6)
        }
        let push7 = driver.push(urgent: false)
        #expect(!push7)
        // High priority is for alerts, which run no code.
        let push8 = driver.push(urgent: true)
        #expect(!push8)
        driver.run(until: .clock(2, 0))
        #expect(driver.times(.pushesMayCome) == [.clock(1, 10)] && driver.times(.windowOpened).isEmpty)
        let push9 = driver.push(urgent: false)
        #expect(push9)
    }

    @Test(arguments: WakePolicy.allCases)
    func iosHasNoAlarms(_ kind: WakePolicy) throws {
        /// Broken: a timer of a suspended app on iOS fires.
        var driver = try PhoneDriver("ios-18")
        #expect(driver.fires(.seconds(20), kind) == .zero + .seconds(20))
        driver.screen(false)
        driver.run(until: .seconds(6))
        #expect(driver.fires(.seconds(20), kind) == .never)
        driver.screen(true)
        #expect(driver.fires(.seconds(20), kind) == .zero + .seconds(20))
    }

    private static func pinned(_ bucket: StandbyBucket) throws -> PhoneDriver {
        var platform = try #require(Platform.named("android-12"))
        platform.standby.pinned = bucket
        var driver = PhoneDriver(platform)
        driver.call { $0.setForeground(false, at: $1, $2) }
        return driver
    }
}
