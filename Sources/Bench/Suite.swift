/// Every benchmark. Small ones first: the peak of memory never falls.
enum Suite {
    static let all: [Benchmark] = [
        DeviceDay.journal,
        DeviceDay.run,
        YAMLLoad.day,
        CaptureReplay.reading,
        CaptureReplay.replaying,
        Contrasts.compare,
        YAMLLoad.mebibyte,
        Fleets.hour,
        Fleets.storm,
        Contention.table,
    ]
}
