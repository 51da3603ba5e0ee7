import CPcap
import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReplay
import DeadzoneScenarios
import Synchronization

/// Benchmarks that read and replay a packet capture of one gibibyte, compared with libpcap's `pcap_next_ex` on the same
/// file. libpcap runs at its best: it reads 256 KiB at once and takes no lock for a call. Both are measured in
/// processor time of all threads. An event is a packet.
enum CaptureReplay {
    static let reading = benchmark("capture/read", "frames, headers, flows, directions and counts") { path in
        let capture = open(path)
        while capture.next({ _ in }) {}
        return capture
    }

    static let replaying = benchmark(
        "capture/replay", "the same with the radio and who pays for it: all that `deadzone replay` does"
    ) { path in
        let capture = open(path)
        var radio = radio
        var interfaces = InterfaceChangeDetector()
        let batches = (0..<16).map { _ in PacketBatch() }
        TwoStagePipeline.run(batches, state: &radio) { batch in
            guard capture.next(batch) else { return false }
            batch.read { interfaces.add($0, on: batch.summary.interface) }
            return true
        } take: { radio, batch in
            batch.read(into: &radio) { radio, packets in radio.add(packets) }
        }
        let bill = radio.finish()
        precondition(bill.joules > 0, "the radio took nothing")
        return capture
    }

    private static func benchmark(
        _ name: String, _ about: String, _ run: @escaping @Sendable (_ path: String) -> CaptureReader
    ) -> Benchmark {
        Benchmark(
            name: name, about: about + ", of 10^7 packets in 1 GiB, in processor time; 10^6 with --quick",
            event: "packet",
            clients: { _ in CaptureFile.flows }, rounds: 5, checksMustAgree: true,
            ours: { quick in
                let path = file(quick)
                return .timed(of: .processor) {
                    let capture = run(path)
                    precondition(capture.flowCounts.tcp == UInt64(CaptureFile.flows) && capture.fault == nil)
                    return (Int(capture.counts.packets), capture.counts.bytes)
                }
            },
            bare: [
                BareLoop(name: "libpcap") { quick in
                    let path = file(quick)
                    return .timed(of: .processor) { libpcapLoop(path) }
                }
            ], goal: .ratio(1))
    }

    /// The file of either size, created at first use.
    private static func file(_ quick: Bool) -> String {
        let packets = quick ? 1_000_000 : 10_000_000
        return files.withLock { files in
            if let known = files.first(where: { $0.packets == packets }) { return known.path }
            let made = CaptureFile(packets: packets)
            files.append(made)
            return made.path
        }
    }

    private static let files = Mutex<[CaptureFile]>([])

    /// Removes the generated files.
    static func cleanUp() {
        files.withLock { files in
            for file in files { file.remove() }
            files = []
        }
    }

    private static func open(_ path: String) -> CaptureReader {
        do {
            let file = try ByteFile(path)
            return try CaptureReader { buffer throws(SourceFailure) in
                do throws(SystemFault) { return try file.read(buffer) } catch { throw SourceFailure(error.message) }
            }
        } catch {
            fatalError("\(error)")
        }
    }

    private static let radio: RadioReplay = {
        let reading = BenchScenarios.profile("lte-verizon-2021")
        guard let radio = try? RadioReplay(reading.profile, reading.sheet) else {
            fatalError("physical rules know every radio")
        }
        return radio
    }()

    private static func libpcapLoop(_ path: String) -> (events: Int, check: UInt64) {
        var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = deadzone_pcap_open_buffered(path, &text) else { fatalError("libpcap cannot open \(path)") }
        defer { pcap_close(handle) }
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        var (packets, bytes) = (0, UInt64(0))
        while pcap_next_ex(handle, &header, &data) == 1, let header {
            packets &+= 1
            bytes &+= UInt64(header.pointee.len)
        }
        return (packets, bytes)
    }
}
