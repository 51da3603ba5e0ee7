package import DeadzoneBase
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Answers the requests that `LoopbackServer` accepts. Several threads call it at once.
package protocol HTTPHandler: Sendable {
    /// Checks a request before its body is read. Returns the status of a refusal, or `nil`.
    func refusal(_ head: HTTPRequest, bodyLength: Int) -> HTTPStatus?
    func answer(_ request: HTTPRequest, _ responder: HTTPResponder)
}

/// An HTTP server on 127.0.0.1 for one page of this program: one thread and one request for each connection, and a bound
/// for everything a client can waste. It knows nothing about the content.
package final class LoopbackServer: Sendable {
    /// Connections beyond this number wait until another one ends. A browser opens six for one page.
    private static let maximumConnections = 32
    /// Milliseconds between two checks for a stop request.
    private static let checkInterval: Int32 = 100
    /// Time for a response that the client does not read.
    private static let sendSeconds = 10

    package let port: Int
    private let listener: Int32
    /// Wakes the loop when a connection begins its answer or ends.
    private let (wakeOutput, wakeInput): (Int32, Int32)
    private let requestLimit: TimeSpan

    /// - Parameters:
    ///   - port: 0 lets the system choose one.
    ///   - requestLimit: time in which a request without its body must arrive; a body has six times as long.
    package init(port: Int, requestLimit: TimeSpan = .seconds(10)) throws(SystemFault) {
        self.requestLimit = requestLimit
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        listener = socket(AF_INET, kind, 0)
        guard listener >= 0 else { throw SystemFault("cannot open", "a socket") }
        Self.set(listener, SO_REUSEADDR, Int32(1))
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        // A client can vanish before it is accepted; the loop must not wait for the next one.
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isOpen else {
            let fault = SystemFault("cannot listen on", "127.0.0.1:\(port)")
            close(listener)
            throw fault
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            let fault = SystemFault("cannot open", "a pipe")
            close(listener)
            throw fault
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (wakeOutput, wakeInput) = (ends[0], ends[1])
    }

    deinit { for descriptor in [listener, wakeOutput, wakeInput] { close(descriptor) } }

    /// Answers requests until the stop request; then all connections end before it returns.
    package func serve(_ handler: some HTTPHandler, isStopped: @Sendable () -> Bool) {
        var connections: [(connection: HTTPConnection, thread: Thread)] = []
        while !isStopped() {
            let answering = connections.map(\.connection).filter { $0.isAnswering && !$0.responder.isGone }
            var watched = [pollfd(fd: wakeOutput, events: Int16(POLLIN), revents: 0)]
            watched += answering.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            if connections.count < Self.maximumConnections {
                watched.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            }
            _ = poll(&watched, nfds_t(watched.count), Self.checkInterval)
            drainWakes()
            // After its request a client sends nothing: readable means closed, or a violation.
            for (connection, state) in zip(answering, watched.dropFirst()) where state.revents != 0 {
                connection.responder.markGone()
            }
            connections.removeAll { connection, thread in
                guard connection.isEnded else { return false }
                thread.join()
                return true
            }
            if let last = watched.last, last.fd == listener, last.revents != 0, let accepted = accept(handler) {
                connections.append(accepted)
            }
        }
        for (connection, _) in connections { connection.responder.markGone() }
        for (_, thread) in connections { thread.join() }
    }

    private func accept(_ handler: some HTTPHandler) -> (HTTPConnection, Thread)? {
        let descriptor = systemAccept(listener)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Darwin inherits this from the listener.
        _ = fcntl(descriptor, F_SETFL, 0)
        Self.set(descriptor, SO_SNDTIMEO, timeval(tv_sec: Self.sendSeconds, tv_usec: 0))
        #if canImport(Darwin)
            Self.set(descriptor, SO_NOSIGPIPE, Int32(1))
        #endif
        let connection = HTTPConnection(descriptor)
        let (wake, limit) = (wakeInput, requestLimit)
        let thread = Thread(stackSize: Thread.readingStackSize) {
            connection.serve(handler, limit) { _ = Self.write(wake) }
        }
        guard let thread else {
            connection.end()
            return nil
        }
        return (connection, thread)
    }

    private func drainWakes() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while systemRead(wakeOutput, &bytes, bytes.count) > 0 {}
    }

    private static func write(_ descriptor: Int32) -> Int {
        var byte: UInt8 = 1
        #if canImport(Darwin)
            return Darwin.write(descriptor, &byte, 1)
        #else
            return Glibc.write(descriptor, &byte, 1)
        #endif
    }

    private static func set<Value>(_ descriptor: Int32, _ option: Int32, _ value: Value) {
        _ = withUnsafeBytes(of: value) {
            setsockopt(descriptor, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count))
        }
    }

    /// One connection: reads one request, answers it, and closes.
    private final class HTTPConnection: Sendable {
        private enum Phase: Int { case reading, answering, ended }

        let descriptor: Int32
        let responder: HTTPResponder
        private let phase = Atomic(Phase.reading.rawValue)

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            responder = HTTPResponder(descriptor)
        }

        var isAnswering: Bool { phase.load(ordering: .acquiring) == Phase.answering.rawValue }
        var isEnded: Bool { phase.load(ordering: .acquiring) == Phase.ended.rawValue }

        func serve(_ handler: some HTTPHandler, _ limit: TimeSpan, wake: () -> Void) {
            switch read(handler, limit) {
            case .complete(let request):
                phase.store(Phase.answering.rawValue, ordering: .releasing)
                wake()
                handler.answer(request, responder)
            case .refused(let status): responder.send(status, status.reason + "\n")
            case .needsMore: break
            }
            end()
            wake()
        }

        /// Tells the client that the response is complete. The descriptor stays open until the loop forgets the
        /// connection, because the loop polls it, and another file could get the same number.
        func end() {
            shutdown(descriptor, Int32(SHUT_WR))
            phase.store(Phase.ended.rawValue, ordering: .releasing)
        }

        deinit { close(descriptor) }

        private func read(_ handler: some HTTPHandler, _ limit: TimeSpan) -> HTTPRequestParser.Step {
            var parser = HTTPRequestParser { handler.refusal($0, bodyLength: $1) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let watch = Stopwatch()
            while !responder.isGone {
                guard watch.elapsed < limit * (parser.hasHead ? 6 : 1) else { return .refused(.timeout) }
                var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&one, 1, LoopbackServer.checkInterval) > 0 else { continue }
                let count = retryingOnEINTR { systemRead(descriptor, &buffer, buffer.count) }
                guard count > 0 else { return .needsMore }
                let step = parser.feed(buffer[..<count])
                if step != .needsMore { return step }
            }
            return .needsMore
        }
    }
}

private func systemAccept(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        return Darwin.accept(descriptor, nil, nil)
    #else
        return Glibc.accept(descriptor, nil, nil)
    #endif
}
