import DeadzonePrimitives

extension PlatformNumber {
    /// App Standby by release: buckets since 9, the restricted one since 12.
    static let androidStandby: [PlatformNumber] =
        [
            PlatformNumber(
                "standby.lowest", .bucket(\.standby.lowest), "how far an app can sink",
                .always(Int64(StandbyBucket.active.rawValue), .secondary, Cited.buckets, note: "no buckets"),
                .since(9, Int64(StandbyBucket.rare.rawValue), .secondary, Cited.buckets),
                .since(12, Int64(StandbyBucket.restricted.rawValue), .secondary, Cited.buckets))
        ] + active + working + frequent + rare + restricted

    private static let active: [PlatformNumber] =
        jobs(
            .active, count: 75,
            period: [
                .since(9, .minutes(10), .read, Cited.jobs), .since(16, .hours(1), .secondary, Cited.power),
            ],
            time: [.since(9, .minutes(10), .read, Cited.jobs), .since(16, .minutes(20), .secondary, Cited.power)])

    private static let working: [PlatformNumber] =
        alarms(.working, 10, per: .hours(1), before11: .minutes(6))
        + jobs(
            .working, count: 120,
            period: [.since(9, .hours(2), .read, Cited.jobs), .since(16, .hours(4), .secondary, Cited.power)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])

    private static let frequent: [PlatformNumber] =
        alarms(.frequent, 2, per: .hours(1), before11: .minutes(30))
        + jobs(
            .frequent, count: 200,
            period: [.since(9, .hours(8), .read, Cited.jobs), .since(16, .hours(12), .secondary, Cited.power)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.frequent, 10)

    private static let rare: [PlatformNumber] =
        alarms(.rare, 1, per: .hours(1), before11: .hours(2))
        + jobs(
            .rare, count: 48, period: [.since(9, .hours(24), .read, Cited.jobs)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.rare, 5) + network(.rare)

    private static let restricted: [PlatformNumber] =
        alarms(.restricted, 1, per: .hours(24), before11: .hours(24))
        + jobs(
            .restricted, count: 10, period: [.since(9, .hours(24), .read, Cited.jobs)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.restricted, 5) + network(.restricted)

    // MARK: The rows of a bucket

    /// Android 9 has a delay between two alarms (`DEFAULT_APP_STANDBY_DELAYS`), later ones a quota.
    private static func alarms(
        _ bucket: StandbyBucket, _ count: Int64, per period: TimeSpan, before11 delay: TimeSpan
    ) -> [Self] {
        let note = "the delay between two"
        return [
            PlatformNumber(
                "standby.\(bucket).alarms.count", .count(\.standby[bucket].alarms.count), "alarms in every period",
                .since(9, 1, .read, Cited.alarms, note: note), .since(11, count, .read, Cited.alarms)),
            PlatformNumber(
                "standby.\(bucket).alarms.period", .span(\.standby[bucket].alarms.period), "the period of alarms",
                .since(9, delay, .read, Cited.alarms, note: note), .since(11, period, .read, Cited.alarms)),
        ]
    }

    private static func jobs(
        _ bucket: StandbyBucket, count: Int64, period: [Value], time: [Value]
    ) -> [Self] {
        [
            PlatformNumber(
                "standby.\(bucket).jobs.count", .count(\.standby[bucket].jobs.count), "jobs in every period",
                .since(9, count, .read, Cited.jobs, note: "of Android 11")),
            PlatformNumber(
                key: "standby.\(bucket).jobs.period", help: "the period of jobs",
                place: .span(\.standby[bucket].jobs.period), values: period),
            PlatformNumber(
                key: "standby.\(bucket).jobs.time", help: "how long jobs may run in every period",
                place: .span(\.standby[bucket].jobTime), values: time),
        ]
    }

    private static func pushes(_ bucket: StandbyBucket, _ count: Int64) -> [Self] {
        [
            PlatformNumber(
                "standby.\(bucket).urgent-pushes", .count(\.standby[bucket].urgentPushes.count),
                "urgent pushes in a day; those beyond are like any other", .since(9, count, .read, Cited.power),
                .since(13, .max, .read, Cited.power, note: "no limit"))
        ]
    }

    private static func network(_ bucket: StandbyBucket) -> [Self] {
        [
            PlatformNumber(
                "standby.\(bucket).network", .flag(\.standby[bucket].hasNetwork),
                "the network is open in the background",
                .since(9, 0, .read, Cited.power))
        ]
    }
}
