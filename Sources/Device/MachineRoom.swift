/// Room for the machine of any technology, where it works in place: taken out of an enum it would be copied, and copied back,
/// for each call.
struct MachineRoom: Sendable, BitwiseCopyable {
    private var words = InlineArray<11, UInt64>(repeating: 0)

    init<Machine: RadioMachine>(_ machine: Machine) {
        precondition(
            MemoryLayout<Machine>.size <= MemoryLayout<MachineRoom>.size,
            "\(Machine.self) takes \(MemoryLayout<Machine>.size) bytes, there is room for \(MemoryLayout<MachineRoom>.size)"
        )
        precondition(
            MemoryLayout<Machine>.alignment <= MemoryLayout<MachineRoom>.alignment, "\(Machine.self) lies uneven")
        self[as: Machine.self] = machine
        precondition(technique == machine.technique, "\(Machine.self) does not begin with its technique")
    }

    var technique: RadioProfile.Technique {
        withUnsafeBytes(of: words) { $0.load(as: RadioProfile.Technique.self) }
    }

    /// Only as what it was made with.
    subscript<Machine: RadioMachine>(as _: Machine.Type) -> Machine {
        @inline(__always) get {
            withUnsafeBytes(of: words) { $0.loadUnaligned(as: Machine.self) }
        }
        @inline(__always) unsafeMutableAddress {
            withUnsafeMutableBytes(of: &words) {
                $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Machine.self)
            }
        }
    }
}
