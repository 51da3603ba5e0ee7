import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A TCP connection to this machine, for requests that no HTTP library would send.
package struct RawSocket {
    package struct Refused: Error {}

    private let descriptor: Int32

    package init(_ port: Int) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let (own, size) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(own, $0, size) }
        }
        guard status == 0 else { throw Refused() }
    }

    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Waits for the first bytes of the answer.
    package func readSome() -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return read(descriptor, &buffer, buffer.count)
    }

    /// Reads until the server ends the connection, and closes it.
    package func readAll() -> String {
        var (answer, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        hangUp()
        return String(decoding: answer, as: UTF8.self)
    }

    package func hangUp() { close(descriptor) }

    /// Lets other threads work.
    package static func pause() { usleep(1_000) }
}
