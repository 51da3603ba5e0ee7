/// Makes secrets that other programs cannot guess. Results must never depend on them.
package enum SecretToken {
    /// 128 bits in hexadecimal digits, from the system's random numbers.
    package static func make() throws(SystemFault) -> String {
        let source = try ByteFile("/dev/urandom")
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { bytes.deallocate() }
        var count = 0
        while count < bytes.count { count += try source.read(.init(rebasing: bytes[count...])) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
