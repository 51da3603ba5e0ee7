import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writes text to standard output or standard error of the process. After the first write error nothing more is
/// written, and the error is kept: truncated output must not count as success.
package final class Console: Sendable {
    package enum Target: Sendable {
        /// Results, buffered.
        case output
        /// Progress and messages, unbuffered.
        case errors
        /// Keeps the text in memory, for tests.
        case memory
    }

    private struct State {
        var buffer: [UInt8] = []
        var fault: SystemFault?
    }

    private let target: Target
    private let state = Mutex(State())

    package init(_ target: Target) { self.target = target }

    package func write(_ text: String) { write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.fault == nil else { return }
            state.buffer.append(contentsOf: bytes)
            if state.buffer.count > capacity { drain(&state) }
        }
    }

    /// Writes the buffered bytes. Returns the write error that truncated the output, or `nil`.
    @discardableResult
    package func flush() -> SystemFault? {
        state.withLock { state in
            drain(&state)
            return state.fault
        }
    }

    /// The text that was written to a `.memory` console.
    package var text: String { state.withLock { String(decoding: $0.buffer, as: UTF8.self) } }

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
    /// `true` if the reader of the output closed the pipe, as `head` does. This is not a failure of the tool.
    package var isReaderGone: Bool { code == EPIPE }
}
