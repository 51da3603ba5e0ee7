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
            window: [
                .since(9, .minutes(10), .read, Cited.jobs), .since(16, .hours(1), .secondary, Cited.power),
            ],
            time: [.since(9, .minutes(10), .read, Cited.jobs), .since(16, .minutes(20), .secondary, Cited.power)])

    private static let working: [PlatformNumber] =
        alarms(.working, 10, per: .hours(1))
        + jobs(
            .working, count: 120,
            window: [.since(9, .hours(2), .read, Cited.jobs), .since(16, .hours(4), .secondary, Cited.power)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])

    private static let frequent: [PlatformNumber] =
        alarms(.frequent, 2, per: .hours(1))
        + jobs(
            .frequent, count: 200,
            window: [.since(9, .hours(8), .read, Cited.jobs), .since(16, .hours(12), .secondary, Cited.power)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.frequent, 10)

    private static let rare: [PlatformNumber] =
        alarms(.rare, 1, per: .hours(1))
        + jobs(
            .rare, count: 48, window: [.since(9, .hours(24), .read, Cited.jobs)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.rare, 5) + network(.rare)

    private static let restricted: [PlatformNumber] =
        alarms(.restricted, 1, per: .hours(24))
        + jobs(
            .restricted, count: 10, window: [.since(9, .hours(24), .read, Cited.jobs)],
            time: [.since(9, .minutes(10), .read, Cited.jobs)])
        + pushes(.restricted, 5) + network(.restricted)

    // MARK: The rows of a bucket

    private static func alarms(_ bucket: StandbyBucket, _ count: Int64, per window: TimeSpan) -> [Self] {
        [
            PlatformNumber(
                "standby.\(bucket).alarms.count", .count(\.standby[bucket].alarms.count), "alarms in every window",
                .since(9, count, .read, Cited.alarms)),
            PlatformNumber(
                "standby.\(bucket).alarms.window", .span(\.standby[bucket].alarms.window), "the window of alarms",
                .since(9, window, .read, Cited.alarms)),
        ]
    }

    private static func jobs(
        _ bucket: StandbyBucket, count: Int64, window: [Value], time: [Value]
    ) -> [Self] {
        [
            PlatformNumber(
                "standby.\(bucket).jobs.count", .count(\.standby[bucket].jobs.count), "jobs in every window",
                .since(9, count, .read, Cited.jobs, note: "of Android 11")),
            PlatformNumber(
                key: "standby.\(bucket).jobs.window", help: "the window of jobs",
                place: .span(\.standby[bucket].jobs.window), values: window),
            PlatformNumber(
                key: "standby.\(bucket).jobs.time", help: "how long jobs may run in every window",
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
