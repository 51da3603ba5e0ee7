import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

extension BaselineFile {
    /// Maximum file size. A baseline of ten thousand replicas is smaller.
    private static let limit = 256 << 20

    init(_ path: String) throws(ToolFault) {
        guard Files.kind(of: path) != .missing else {
            throw ToolFault(
                .baselineMissing, "there is no baseline \(Self.quote(path))",
                help: ["deadzone baseline save SCENARIO… --baseline FILE writes one"])
        }
        if let archive = try Archive.at(path) {
            guard archive.isComplete, archive.runs.allSatisfy({ $0.focus.isEverything && $0.isComplete }) else {
                throw .noResult(path, "it contains only a part of a run")
            }
            self.init(path, try archive.kept(path))
            return
        }
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes = try Files.read(path, limit: Self.limit)
        } catch {
            throw .unreadable(error)
        }
        do throws(BaselineFault) {
            self.init(path, try Baseline(text: bytes))
        } catch {
            throw ToolFault(
                .noBaseline, "\(Self.quote(path)) is no baseline: \(error.message)",
                help: ["deadzone baseline save SCENARIO… --baseline FILE writes one"])
        }
    }
}
