#if os(Linux)
    import CTun
    import Glibc
#endif

/// A device of this machine behind which a real phone is, whose gateway this machine is: what the phone sends is read here, in the place of
/// the kernel, which forwards nothing of it, and what is written here goes to the phone. What is for this machine itself (addresses,
/// names of neighbours) stays with the kernel.
public final class Gateway {
    #if os(Linux)
        let descriptor: Int32
        private var heardFrom = deadzone_peer()
        private var answersTo: deadzone_peer?
        /// Of addresses that were asked about.
        private var own: [UInt32: Bool] = [:]

        /// - Parameter device: by its name; it is up, has an address, and its kernel does not forward.
        public init(_ device: String) throws(SystemFault) {
            if let forwards = Self.forwards(device), forwards {
                throw SystemFault(
                    "cannot route", device,
                    because: "the kernel would forward past the world: sysctl net.ipv4.conf.\(device).forwarding=0")
            }
            var fd: Int32 = -1
            let code = deadzone_gateway_open(device, &fd)
            guard code == 0 else {
                errno = code
                throw SystemFault("cannot listen on", device)
            }
            descriptor = fd
        }

        deinit { close(descriptor) }

        /// What this system lacks for any device, in words; nil: nothing.
        public static func trouble() -> String? {
            var fd: Int32 = -1
            let code = deadzone_gateway_open(nil, &fd)
            guard code == 0 else {
                errno = code
                return SystemFault("cannot open", "a packet socket").message
            }
            close(fd)
            return nil
        }

        /// Nil: there is no such device, or no IPv4.
        private static func forwards(_ device: String) -> Bool? {
            guard !device.contains("/") else { return nil }
            let path = "/proc/sys/net/ipv4/conf/\(device)/forwarding"
            do throws(SystemFault) { return try Files.read(path, limit: 16).first == UInt8(ascii: "1") } catch {
                return nil
            }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            max(0, deadzone_gateway_read(descriptor, buffer.baseAddress, buffer.count, &heardFrom))
        }

        /// To whom `answer` was said of last.
        func write(_ packet: UnsafeRawBufferPointer) {
            guard var peer = answersTo else { return }
            deadzone_gateway_write(descriptor, packet.baseAddress, packet.count, &peer)
        }

        /// The packet that was read last is of the phone that is meant.
        public func answer() { answersTo = heardFrom }

        /// This machine has the address itself.
        public func isOwn(_ address: UInt32) -> Bool {
            if let known = own[address] { return known }
            if own.count > 4_096 { own.removeAll() }
            let isOwn = deadzone_is_own(address.bigEndian) == 1
            own[address] = isOwn
            return isOwn
        }
    #else
        public init(_ device: String) throws(SystemFault) {
            throw SystemFault(
                "cannot route", device, because: "this is not Linux: a Linux machine can be the phone's gateway")
        }
        public static func trouble() -> String? { "this is not Linux" }
        public func answer() {}
        public func isOwn(_ address: UInt32) -> Bool { false }
    #endif
}
