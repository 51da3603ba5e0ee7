import DeadzoneBase

extension PlatformParameter {
    /// App Standby parameters by release: buckets since 9, the restricted bucket since 12.
    static let androidStandby: [PlatformParameter] =
        [
            PlatformParameter(
                "standby.lowest", .bucket(\.standby.lowest), "lowest bucket that an app can reach",
                .always(
                    Int64(StandbyBucket.active.rawValue), .secondary, Citation.buckets,
                    note: "no buckets in this release"),
                .since(9, Int64(StandbyBucket.rare.rawValue), .secondary, Citation.buckets),
                .since(12, Int64(StandbyBucket.restricted.rawValue), .secondary, Citation.buckets))
        ] + active + working + frequent + rare + restricted

    private static let active: [PlatformParameter] =
        jobs(
            .active, count: 75,
            period: [
                .since(9, .minutes(10), .read, Citation.jobs), .since(16, .hours(1), .secondary, Citation.power),
            ],
            time: [.since(9, .minutes(10), .read, Citation.jobs), .since(16, .minutes(20), .secondary, Citation.power)])

    private static let working: [PlatformParameter] =
        alarms(.working, 10, per: .hours(1), before11: .minutes(6))
        + jobs(
            .working, count: 120,
            period: [.since(9, .hours(2), .read, Citation.jobs), .since(16, .hours(4), .secondary, Citation.power)],
            time: [.since(9, .minutes(10), .read, Citation.jobs)])

    private static let frequent: [PlatformParameter] =
        alarms(.frequent, 2, per: .hours(1), before11: .minutes(30))
        + jobs(
            .frequent, count: 200,
            period: [.since(9, .hours(8), .read, Citation.jobs), .since(16, .hours(12), .secondary, Citation.power)],
            time: [.since(9, .minutes(10), .read, Citation.jobs)])
        + pushes(.frequent, 10)

    private static let rare: [PlatformParameter] =
        alarms(.rare, 1, per: .hours(1), before11: .hours(2))
        + jobs(
            .rare, count: 48, period: [.since(9, .hours(24), .read, Citation.jobs)],
            time: [.since(9, .minutes(10), .read, Citation.jobs)])
        + pushes(.rare, 5) + network(.rare)

    private static let restricted: [PlatformParameter] =
        alarms(.restricted, 1, per: .hours(24), before11: .hours(24))
        + jobs(
            .restricted, count: 10, period: [.since(9, .hours(24), .read, Citation.jobs)],
            time: [.since(9, .minutes(10), .read, Citation.jobs)])
        + pushes(.restricted, 5) + network(.restricted)

    // MARK: The parameters of a bucket

    /// Returns the parameters for the alarms of a standby bucket. Android 9 has a delay between two alarms
    /// (`DEFAULT_APP_STANDBY_DELAYS`), later releases have a quota.
    private static func alarms(
        _ bucket: StandbyBucket, _ count: Int64, per period: TimeSpan, before11 delay: TimeSpan
    ) -> [Self] {
        let note = "the delay between two alarms"
        return [
            PlatformParameter(
                "standby.\(bucket).alarms.count", .count(\.standby[bucket].alarms.count), "alarms per period",
                .since(9, 1, .read, Citation.alarms, note: note), .since(11, count, .read, Citation.alarms)),
            PlatformParameter(
                "standby.\(bucket).alarms.period", .span(\.standby[bucket].alarms.period), "period of the alarm quota",
                .since(9, delay, .read, Citation.alarms, note: note), .since(11, period, .read, Citation.alarms)),
        ]
    }

    private static func jobs(
        _ bucket: StandbyBucket, count: Int64, period: [ReleaseValue], time: [ReleaseValue]
    ) -> [Self] {
        [
            PlatformParameter(
                "standby.\(bucket).jobs.count", .count(\.standby[bucket].jobs.count), "jobs per period",
                .since(9, count, .read, Citation.jobs, note: "value of Android 11")),
            PlatformParameter(
                key: "standby.\(bucket).jobs.period", help: "period of the job quota",
                destination: .span(\.standby[bucket].jobs.period), values: period),
            PlatformParameter(
                key: "standby.\(bucket).jobs.time", help: "total run time of jobs per period",
                destination: .span(\.standby[bucket].jobTime), values: time),
        ]
    }

    private static func pushes(_ bucket: StandbyBucket, _ count: Int64) -> [Self] {
        [
            PlatformParameter(
                "standby.\(bucket).urgent-pushes", .count(\.standby[bucket].urgentPushes.count),
                "urgent pushes per day; further ones are treated as normal", .since(9, count, .read, Citation.power),
                .since(13, .max, .read, Citation.power, note: "no limit"))
        ]
    }

    private static func network(_ bucket: StandbyBucket) -> [Self] {
        [
            PlatformParameter(
                "standby.\(bucket).network", .flag(\.standby[bucket].hasNetwork),
                "the network is available in the background",
                .since(9, 0, .read, Citation.power))
        ]
    }
}
