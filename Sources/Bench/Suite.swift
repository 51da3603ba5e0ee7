/// Every benchmark. Small ones first: the peak of memory never falls.
enum Suite {
    static let all: [Benchmark] = [
        DeviceDay.journal,
        DeviceDay.run,
        YAMLLoad.day,
        CaptureReplay.reading,
        CaptureReplay.replaying,
        Contrasts.compare,
        HoldModel(lanes: 100).benchmark,
        HoldModel(lanes: 10_000).benchmark,
        RearmedTimers(clients: 1_000).benchmark,
        RearmedTimers(clients: 100_000).benchmark,
        YAMLLoad.mebibyte,
        Fleets.hour,
        HoldModel(lanes: 1_000_000).benchmark,
        HoldModel(lanes: 1_000_000, touches: true).benchmark,
        Fleets.storm,
        Contention.table,
    ]
}
