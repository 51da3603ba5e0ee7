import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One of the process's two outputs. The first fault is kept and ends all further writing: output that was cut short is
/// never taken for a success.
public final class Console: Sendable {
    public enum Target: Sendable {
        /// Results, buffered.
        case output
        /// Talk, which is read while it happens.
        case errors
        /// Keeps what is written, for tests.
        case memory
    }

    private struct State {
        var buffer: [UInt8] = []
        var fault: SystemFault?
    }

    private let target: Target
    private let state = Mutex(State())

    public init(_ target: Target) { self.target = target }

    public func write(_ text: String) { write(Array(text.utf8)) }

    public func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.fault == nil else { return }
            state.buffer.append(contentsOf: bytes)
            if state.buffer.count > capacity { drain(&state) }
        }
    }

    /// Writes what is still held. The fault that has cut the output short, if one did.
    @discardableResult
    public func flush() -> SystemFault? {
        state.withLock { state in
            drain(&state)
            return state.fault
        }
    }

    /// What a `.memory` console was told.
    public var text: String { state.withLock { String(decoding: $0.buffer, as: UTF8.self) } }

    private var capacity: Int {
        switch target {
        case .output: 65_536
        case .errors: 0
        case .memory: .max
        }
    }

    private func drain(_ state: inout State) {
        guard state.fault == nil, !state.buffer.isEmpty else { return }
        switch target {
        case .output: state.fault = writeAll(state.buffer, to: STDOUT_FILENO, named: "standard output")
        case .errors: state.fault = writeAll(state.buffer, to: STDERR_FILENO, named: "standard error")
        case .memory: return
        }
        state.buffer.removeAll(keepingCapacity: true)
    }
}

extension SystemFault {
    /// Whoever read the output went away, as `head` does: nobody's fault.
    public var isReaderGone: Bool { code == EPIPE }
}
