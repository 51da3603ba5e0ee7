/// The list of all benchmarks. Small ones are first because the peak of memory never falls.
enum BenchmarkSuite {
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
