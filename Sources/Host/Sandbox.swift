package import DeadzoneBase

#if os(Linux)
    import CTun
    import Glibc
#endif

/// Runs programs as a phone and a server in Linux network namespaces, and gives access to the packets between them. The
/// owner of this object acts as the network between them: it reads the packets of one side and writes them to the
/// other, or drops them.
///
///     phone: wlan0, rmnet0  ◀──▶  Sandbox  ◀──▶  srv0: server
///
/// The host's network is not touched. When this process ends, for whatever reason, all its processes, devices and
/// mounts end too.
package final class Sandbox {
    package enum Device: Int, CaseIterable, Sendable {
        case wifi, cellular, server
        /// A host device with a real phone behind it.
        case gateway
        fileprivate var isOfPhone: Bool { self == .wifi || self == .cellular }
    }

    package enum SandboxHost: Int32, Sendable { case phone, server }

    package struct Program: Sendable {
        package var arguments: [String]
        package var host: SandboxHost

        package init(_ words: [String], at place: SandboxHost) {
            self.arguments = words
            self.host = place
        }
    }

    /// A TCP port of the simulated server's address that is forwarded to a service outside the sandbox.
    package struct PortForward: Sendable {
        package var port: UInt16
        package var address: UInt32
        package var targetPort: UInt16

        package init(port: UInt16, address: UInt32, targetPort: UInt16) {
            self.port = port
            self.address = address
            self.targetPort = targetPort
        }
    }

    /// The IPv4 address and the IPv6 address of one host.
    package struct DualStackAddress: Sendable {
        package var ipv4: UInt32
        package var ipv6: UInt128

        package init(ipv4: UInt32, ipv6: UInt128) {
            self.ipv4 = ipv4
            self.ipv6 = ipv6
        }
    }

    /// The exit of a program in the sandbox, with the code that a shell reports: 128 plus the number for a signal.
    package struct ProgramExit: Hashable, Sendable {
        package var program: Int
        package var code: Int32
        /// `true` if the program could not be started: no such file, or no permission to execute it.
        package var neverStarted = false
    }

    package enum Signal: Sendable { case stop, resume, end, kill }

    /// The events of a sandbox that are ready after a wait, such as packets to read and program output.
    package struct ReadyEvents: Sendable {
        package fileprivate(set) var devices: [Device] = []
        /// Programs that have written output.
        package fileprivate(set) var outputs: [Int] = []
        package fileprivate(set) var hasControlMessage = false
    }

    /// Output bytes to read in one turn. A program that prints without pause then waits, and packets do not.
    package static let outputChunk = 8_192
    /// Reads after which the output of a program that has ended is empty: a pipe holds 64 KiB.
    package static let outputChunks = 65_536 / outputChunk + 1

    /// Server address for the check, private (RFC 1918, RFC 4193): Linux allows `::1` only on the loopback.
    private static let probeAddress = DualStackAddress(ipv4: 0x0a00_0001, ipv6: 0xfd00 << 112 | 1)

    /// Why this system cannot create a sandbox; `nil` if it can.
    package static func unavailableReason() -> String? {
        do throws(SystemFault) {
            _ = try Sandbox([], server: probeAddress, hosts: "", resolver: "")
            return nil
        } catch { return error.message }
    }

    #if os(Linux)
        var box = deadzone_sandbox()
        private var polled: [pollfd] = []
        private let gateway: Gateway?
        /// Read ends of the pipes for the programs' output.
        private var outputs: [Int32] = []

        /// - Parameters:
        ///   - server: address of the server.
        ///   - gateway: an additional device with a real phone.
        ///   - hosts: content of /etc/hosts in both namespaces.
        ///   - resolver: content of /etc/resolv.conf in both namespaces.
        package init(
            _ programs: [Program], forwards: [PortForward] = [], gateway: Gateway? = nil, server: DualStackAddress,
            hosts: String,
            resolver: String
        ) throws(SystemFault) {
            self.gateway = gateway
            guard programs.count <= Int(DEADZONE_PROGRAMS) else {
                throw SystemFault("cannot start", "programs", because: "they are more than \(DEADZONE_PROGRAMS)")
            }
            var wish = deadzone_wish()
            wish.server_address = Self.native(server)
            wish.programs = Int32(programs.count)
            guard forwards.count <= Int(DEADZONE_FORWARDS) else {
                throw SystemFault("cannot forward", "ports", because: "they are more than \(DEADZONE_FORWARDS)")
            }
            wish.forwards = Int32(forwards.count)
            withUnsafeMutableBytes(of: &wish.forward) { bytes in
                let places = bytes.assumingMemoryBound(to: deadzone_forward.self)
                for (index, forward) in forwards.enumerated() {
                    places[index] = deadzone_forward(
                        port: forward.port, address: forward.address.bigEndian, target_port: forward.targetPort)
                }
            }
            var words: [CStringArray] = []
            var farEnds: [Int32] = []
            defer { for end in farEnds { close(end) } }
            for (index, program) in programs.enumerated() {
                words += [CStringArray(program.arguments), CStringArray(Self.environment)]
                var (near, far): (Int32, Int32) = (-1, -1)
                guard deadzone_pipe(&near, &far) == 0 else { throw SystemFault("cannot make", "a pipe") }
                outputs.append(near)
                farEnds.append(far)
                let own = deadzone_program(
                    arguments: UnsafePointer(words[2 * index].pointers),
                    environment: UnsafePointer(words[2 * index + 1].pointers),
                    network: program.host.rawValue, output: far,
                    errors: program.host == .phone ? STDERR_FILENO : far)
                withUnsafeMutableBytes(of: &wish.program) { bytes in
                    bytes.assumingMemoryBound(to: deadzone_program.self)[index] = own
                }
            }
            let files = CStringArray([hosts, resolver])
            wish.hosts = UnsafePointer(files.pointers[0])
            wish.resolver = UnsafePointer(files.pointers[1])
            try withExtendedLifetime((words, files)) { () throws(SystemFault) in try open(&wish) }
            polled = (Device.allCases.map { descriptor($0) } + [box.control] + outputs).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
        }

        deinit {
            if box.keeper > 0 { deadzone_close(&box) }
            for end in outputs { close(end) }
        }

        /// Opens the namespaces as an ordinary user inside a user namespace. If the system refuses that and this
        /// process is root, opens them without one.
        private func open(_ wish: inout deadzone_wish) throws(SystemFault) {
            var step: UnsafePointer<CChar>?
            wish.in_user_namespace = 1
            wish.user = geteuid()
            wish.group = getegid()
            var code = deadzone_open(&wish, &box, &step)
            if code != 0, geteuid() == 0 {
                wish.in_user_namespace = 0
                wish.user = Self.caller("SUDO_UID")
                wish.group = Self.caller("SUDO_GID")
                code = deadzone_open(&wish, &box, &step)
            }
            guard code != 0 else { return }
            box.keeper = 0
            let what = step.map { String(cString: $0) } ?? "namespaces"
            errno = code
            throw SystemFault("cannot make", what)
        }

        private static func caller(_ name: String) -> UInt32 {
            Environment.process[name].flatMap { UInt32($0) } ?? 0
        }

        /// The variables of this process, which every program gets.
        private static var environment: [String] {
            var all: [String] = []
            var place = environ
            while let entry = place.pointee {
                all.append(String(cString: entry))
                place += 1
            }
            return all
        }

        private func descriptor(_ device: Device) -> Int32 {
            switch device {
            case .wifi: box.devices.0
            case .cellular: box.devices.1
            case .server: box.devices.2
            case .gateway: gateway?.descriptor ?? -1
            }
        }

        // MARK: Packets
        /// Reads the next packet that this side has sent. Returns its size; 0 if there is none.
        package func read(_ device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            if device == .gateway { return gateway?.read(into: buffer) ?? 0 }
            return max(0, systemRead(descriptor(device), buffer.baseAddress, buffer.count))
        }

        /// Writes a packet to a device. It is lost if the queue is full or the device is down.
        package func write(_ packet: UnsafeRawBufferPointer, to device: Device) {
            if device == .gateway { return gateway?.write(packet) ?? () }
            _ = Glibc.write(descriptor(device), packet.baseAddress, packet.count)
        }

        /// The next output of a program, at most `outputChunk` bytes; empty if there is none.
        package func output(of program: Int) -> [UInt8] {
            var chunk = [UInt8](repeating: 0, count: Self.outputChunk)
            let count = chunk.withUnsafeMutableBytes { systemRead(outputs[program], $0.baseAddress, $0.count) }
            return Array(chunk[..<max(0, count)])
        }

        /// Waits until an event is ready, at most for `span`.
        package func wait(atMost span: TimeSpan) -> ReadyEvents {
            var ready = ReadyEvents()
            guard deadzone_wait(&polled, Int32(polled.count), max(0, span.nanoseconds)) > 0 else { return ready }
            for (index, place) in polled.enumerated() where place.revents != 0 {
                if let device = Device(rawValue: index) {
                    ready.devices.append(device)
                } else if index == Device.allCases.count {
                    ready.hasControlMessage = true
                } else {
                    ready.outputs.append(index - Device.allCases.count - 1)
                }
            }
            return ready
        }

        // MARK: Programs

        package func launch(_ program: Int) { deadzone_launch(box.control, Int32(program)) }

        /// Sends a signal to every process of the program's process group.
        package func signal(_ program: Int, _ signal: Signal) {
            let number =
                switch signal {
                case .stop: SIGSTOP
                case .resume: SIGCONT
                case .end: SIGTERM
                case .kill: SIGKILL
                }
            deadzone_signal(box.control, Int32(program), number)
        }

        /// The next program exit, or `nil`. Throws if the namespaces no longer exist.
        package func nextExit() throws(SystemFault) -> ProgramExit? {
            var end = deadzone_end()
            while true {
                switch deadzone_hear(box.control, &end) {
                case 0: return nil
                case 1: return ProgramExit(end)
                case 2: continue
                default: throw SystemFault("lost", "the namespaces", because: "somebody has ended their first process")
                }
            }
        }

        // MARK: Interfaces of the phone
        /// Brings a device up with address and default route, or down without one. A lower rank (metric) is preferred.
        package func set(_ device: Device, address: DualStackAddress?, rank: Int32) {
            let number = Int32(device.rawValue)
            guard device.isOfPhone else { return }
            guard let address else {
                deadzone_set_address(&box, number, nil)
                return
            }
            var native = Self.native(address)
            deadzone_set_address(&box, number, &native)
            deadzone_set_route(&box, number, rank, 1)
        }

        package func changeRouteMetric(_ device: Device, from old: Int32, to new: Int32) {
            deadzone_set_route(&box, Int32(device.rawValue), new, 1)
            deadzone_set_route(&box, Int32(device.rawValue), old, 0)
        }

        private static func native(_ address: DualStackAddress) -> deadzone_address {
            var native = deadzone_address()
            native.ipv4 = address.ipv4.bigEndian
            withUnsafeMutableBytes(of: &native.ipv6) { bytes in
                for (place, shift) in stride(from: 120, through: 0, by: -8).enumerated() {
                    bytes[place] = UInt8(truncatingIfNeeded: address.ipv6 >> UInt128(shift))
                }
            }
            return native
        }

        /// An array of C strings that stays valid while this object exists.
        private final class CStringArray {
            let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
            private let count: Int

            init(_ words: [String]) {
                count = words.count
                pointers = .allocate(capacity: count + 1)
                for (index, word) in words.enumerated() { pointers[index] = strdup(word) }
                pointers[count] = nil
            }

            deinit {
                for index in 0..<count { free(pointers[index]) }
                pointers.deallocate()
            }
        }
    #else
        private static let refusal = SystemFault(
            "cannot make", "namespaces",
            because: "this is not Linux: run it in a container there, or on a Linux machine")

        package init(
            _ programs: [Program], forwards: [PortForward] = [], gateway: Gateway? = nil, server: DualStackAddress,
            hosts: String,
            resolver: String
        ) throws(SystemFault) { throw Self.refusal }

        package func read(_ device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
        package func write(_ packet: UnsafeRawBufferPointer, to device: Device) {}
        package func output(of program: Int) -> [UInt8] { [] }
        package func wait(atMost span: TimeSpan) -> ReadyEvents { ReadyEvents() }
        package func launch(_ program: Int) {}
        package func signal(_ program: Int, _ signal: Signal) {}
        package func waitForServer(
            within span: TimeSpan, daemonWithin daemonSpan: TimeSpan, datagramsFor datagramSpan: TimeSpan,
            unless isStopped: () -> Bool
        ) -> ServerStart { .silent }
        package func nextExit() throws(SystemFault) -> ProgramExit? { throw Self.refusal }
        package func set(_ device: Device, address: DualStackAddress?, rank: Int32) {}
        package func changeRouteMetric(_ device: Device, from old: Int32, to new: Int32) {}
    #endif
}

#if os(Linux)
    extension Sandbox.ProgramExit {
        init(_ end: deadzone_end) {
            let signal = end.status & 0x7f
            self.init(
                program: Int(end.program), code: signal == 0 ? end.status >> 8 & 0xff : 128 + signal,
                neverStarted: end.never_started != 0)
        }
    }
#endif
