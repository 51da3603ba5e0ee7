#if os(Linux)
    import CTun
    import Glibc
#endif

/// Reads and writes the packets of a real phone that uses this machine as its gateway, on a network device. Packets of
/// the phone are read here, not forwarded by the kernel. Packets written here go to the phone. The kernel still handles
/// traffic to this machine itself (addresses, ARP and neighbour discovery).
package final class Gateway {
    #if os(Linux)
        let descriptor: Int32
        private var lastSender = deadzone_peer()
        private var phonePeer: deadzone_peer?
        /// Cache of `isOwn` by address.
        private var ownAddressCache: [UInt32: Bool] = [:]

        /// - Parameter device: name of a device that is up and has an address, with kernel forwarding disabled.
        package init(_ device: String) throws(SystemFault) {
            if let forwards = Self.kernelForwards(device), forwards {
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

        /// Why this system cannot act as a gateway on any device; `nil` if it can.
        package static func unavailableReason() -> String? {
            var fd: Int32 = -1
            let code = deadzone_gateway_open(nil, &fd)
            guard code == 0 else {
                errno = code
                return SystemFault("cannot open", "a packet socket").message
            }
            close(fd)
            return nil
        }

        /// `true` if the kernel forwards packets of the device; `nil` if there is no such device or it has no IPv4.
        private static func kernelForwards(_ device: String) -> Bool? {
            guard !device.contains("/") else { return nil }
            let path = "/proc/sys/net/ipv4/conf/\(device)/forwarding"
            do throws(SystemFault) { return try Files.read(path, limit: 16).first == UInt8(ascii: "1") } catch {
                return nil
            }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            max(0, deadzone_gateway_read(descriptor, buffer.baseAddress, buffer.count, &lastSender))
        }

        /// Writes a packet to the phone that was last selected with `selectLastSender`.
        func write(_ packet: UnsafeRawBufferPointer) {
            guard var peer = phonePeer else { return }
            deadzone_gateway_write(descriptor, packet.baseAddress, packet.count, &peer)
        }

        /// Selects the sender of the packet that was read last as the phone that `write` sends to.
        package func selectLastSender() { phonePeer = lastSender }

        /// `true` if this machine itself has the address.
        package func isOwn(_ address: UInt32) -> Bool {
            if let known = ownAddressCache[address] { return known }
            if ownAddressCache.count > 4_096 { ownAddressCache.removeAll() }
            let isOwn = deadzone_is_own(address.bigEndian) == 1
            ownAddressCache[address] = isOwn
            return isOwn
        }
    #else
        package init(_ device: String) throws(SystemFault) {
            throw SystemFault(
                "cannot route", device, because: "this is not Linux: a Linux machine can be the phone's gateway")
        }
        package static func unavailableReason() -> String? { "this is not Linux" }
        package func selectLastSender() {}
        package func isOwn(_ address: UInt32) -> Bool { false }
    #endif
}
