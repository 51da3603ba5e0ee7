/// Memory that holds the state machine of any radio technology, and on which the machine works in place. A machine in
/// an enum would be copied out and back for each call.
struct RadioMachineStorage: Sendable, BitwiseCopyable {
    private var words = InlineArray<11, UInt64>(repeating: 0)

    init<Machine: RadioMachine>(_ machine: Machine) {
        precondition(
            MemoryLayout<Machine>.size <= MemoryLayout<RadioMachineStorage>.size,
            "\(Machine.self) takes \(MemoryLayout<Machine>.size) bytes, but there is room for \(MemoryLayout<RadioMachineStorage>.size)"
        )
        precondition(
            MemoryLayout<Machine>.alignment <= MemoryLayout<RadioMachineStorage>.alignment,
            "the alignment of \(Machine.self) is too large")
        self[as: Machine.self] = machine
        precondition(machineKind == machine.machineKind, "\(Machine.self) does not begin with its technique")
    }

    var machineKind: RadioProfile.RadioMachineKind {
        withUnsafeBytes(of: words) { $0.load(as: RadioProfile.RadioMachineKind.self) }
    }

    /// The stored state machine. The type must be the one with which the storage was created.
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
