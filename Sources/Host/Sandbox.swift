public import DeadzonePrimitives

#if os(Linux)
    import CTun
    import Glibc
#endif

/// A phone and a server of Linux namespaces, and the programs that run there. The network between them is whoever holds this: what
/// one side sends is read here, and written to the other side or not.
///
///     phone: wlan0, rmnet0  ◀──▶  Sandbox  ◀──▶  srv0: server
///
/// Nothing of the host's network is touched. Whatever ends this process ends every process, device and mount of it.
public final class Sandbox {
    public enum Device: Int, CaseIterable, Sendable {
        case wifi, cellular, server
        /// Behind it is a real phone.
        case gateway
        fileprivate var isOfPhone: Bool { self == .wifi || self == .cellular }
    }

    public enum Place: Int32, Sendable { case phone, server }

    public struct Program: Sendable {
        public var words: [String]
        public var place: Place
        /// Beside what this process has.
        public var environment: [String: String]

        public init(_ words: [String], at place: Place, environment: [String: String] = [:]) {
            self.words = words
            self.place = place
            self.environment = environment
        }
    }

    /// A port of the server's address that something outside serves, by TCP.
    public struct Forward: Sendable {
        public var port: UInt16
        public var address: UInt32
        public var targetPort: UInt16

        public init(port: UInt16, address: UInt32, targetPort: UInt16) {
            self.port = port
            self.address = address
            self.targetPort = targetPort
        }
    }

    /// Of one host, in both families.
    public struct Address: Sendable {
        public var ipv4: UInt32
        public var ipv6: UInt128

        public init(ipv4: UInt32, ipv6: UInt128) {
            self.ipv4 = ipv4
            self.ipv6 = ipv6
        }
    }

    /// How a program ended, as a shell counts: 128 and more for a signal.
    public struct Ending: Sendable {
        public var program: Int
        public var code: Int32
    }

    public enum Signal: Sendable { case stop, goOn, end, kill }

    /// What there is to do.
    public struct Ready: Sendable {
        public fileprivate(set) var devices: [Device] = []
        /// Programs that have said something.
        public fileprivate(set) var outputs: [Int] = []
        public fileprivate(set) var hasNews = false
    }

    /// What this system lacks, in words; nil: nothing.
    public static func trouble() -> String? {
        do throws(SystemFault) {
            _ = try Sandbox([], server: Address(ipv4: 0x0a00_0001, ipv6: 1), hosts: "", resolver: "")
            return nil
        } catch { return error.message }
    }

    #if os(Linux)
        private var box = deadzone_sandbox()
        private var polled: [pollfd] = []
        private let gateway: Gateway?
        /// Ends of pipes: what the programs say.
        private var outputs: [Int32] = []

        /// - Parameters:
        ///   - server: its address.
        ///   - gateway: beside its own devices.
        ///   - hosts: what both sides find in /etc/hosts, and in /etc/resolv.conf.
        public init(
            _ programs: [Program], forwards: [Forward] = [], gateway: Gateway? = nil, server: Address, hosts: String,
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
            var words: [Words] = []
            var farEnds: [Int32] = []
            defer { for end in farEnds { close(end) } }
            for (index, program) in programs.enumerated() {
                words += [Words(program.words), Words(Self.environment(program))]
                var (near, far): (Int32, Int32) = (-1, -1)
                guard deadzone_pipe(&near, &far) == 0 else { throw SystemFault("cannot make", "a pipe") }
                outputs.append(near)
                farEnds.append(far)
                let own = deadzone_program(
                    arguments: UnsafePointer(words[2 * index].pointers),
                    environment: UnsafePointer(words[2 * index + 1].pointers),
                    network: program.place.rawValue, output: far,
                    errors: program.place == .phone ? STDERR_FILENO : far)
                withUnsafeMutableBytes(of: &wish.program) { bytes in
                    bytes.assumingMemoryBound(to: deadzone_program.self)[index] = own
                }
            }
            let files = Words([hosts, resolver])
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

        /// As an ordinary user in a user namespace; where the system refuses that, as root without one.
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

        private static func environment(_ program: Program) -> [String] {
            var all: [String] = []
            var place = environ
            while let entry = place.pointee {
                let text = String(cString: entry)
                let name = text.prefix { $0 != "=" }
                if program.environment[String(name)] == nil { all.append(text) }
                place += 1
            }
            return all + program.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
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

        /// The bytes of the next packet that this side has sent; 0 if there is none.
        public func read(_ device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            if device == .gateway { return gateway?.read(into: buffer) ?? 0 }
            return max(0, systemRead(descriptor(device), buffer.baseAddress, buffer.count))
        }

        /// What finds no place, or a device that is down, is gone, as on any network.
        public func write(_ packet: UnsafeRawBufferPointer, to device: Device) {
            if device == .gateway { return gateway?.write(packet) ?? () }
            _ = Glibc.write(descriptor(device), packet.baseAddress, packet.count)
        }

        /// What a program has said since it was last asked; empty if nothing.
        public func output(of program: Int) -> [UInt8] {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = chunk.withUnsafeMutableBytes { systemRead(outputs[program], $0.baseAddress, $0.count) }
            return Array(chunk[..<max(0, count)])
        }

        /// Waits until there is something to do, at most so long.
        public func wait(atMost span: TimeSpan) -> Ready {
            var ready = Ready()
            guard deadzone_wait(&polled, Int32(polled.count), max(0, span.nanoseconds)) > 0 else { return ready }
            for (index, place) in polled.enumerated() where place.revents != 0 {
                if let device = Device(rawValue: index) {
                    ready.devices.append(device)
                } else if index == Device.allCases.count {
                    ready.hasNews = true
                } else {
                    ready.outputs.append(index - Device.allCases.count - 1)
                }
            }
            return ready
        }

        // MARK: Programs

        public func launch(_ program: Int) { deadzone_launch(box.control, Int32(program)) }

        /// To every process of the program's group.
        public func signal(_ program: Int, _ signal: Signal) {
            let number =
                switch signal {
                case .stop: SIGSTOP
                case .goOn: SIGCONT
                case .end: SIGTERM
                case .kill: SIGKILL
                }
            deadzone_signal(box.control, Int32(program), number)
        }

        /// Waits until something at the server listens. False: it does not in that time, or it has ended.
        public func serverListens(within span: TimeSpan, unless isStopped: () -> Bool) -> Bool {
            let watch = Stopwatch()
            while watch.elapsed < span, !isStopped() {
                deadzone_ask_listening(box.control)
                var end = deadzone_end()
                var answer: Int32 = 0
                while answer == 0 {
                    var one = pollfd(fd: box.control, events: Int16(POLLIN), revents: 0)
                    guard poll(&one, 1, 1_000) > 0 else { return false }
                    answer = deadzone_hear(box.control, &end)
                }
                if answer == 2 { return true }
                if answer != 3 { return false }
                usleep(10_000)
            }
            return false
        }

        /// The next program that has ended; nil: none. Throws where the namespaces are gone.
        public func nextEnding() throws(SystemFault) -> Ending? {
            var end = deadzone_end()
            while true {
                switch deadzone_hear(box.control, &end) {
                case 0: return nil
                case 1:
                    let signal = end.status & 0x7f
                    return Ending(
                        program: Int(end.program), code: signal == 0 ? end.status >> 8 & 0xff : 128 + signal)
                case 2, 3: continue
                default: throw SystemFault("lost", "the namespaces", because: "somebody has ended their first process")
                }
            }
        }

        // MARK: What the phone sees

        /// Up with this address, or down without one. The default routes are there with it; less is preferred.
        public func set(_ device: Device, address: Address?, rank: Int32) {
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

        public func rerank(_ device: Device, from old: Int32, to new: Int32) {
            deadzone_set_route(&box, Int32(device.rawValue), new, 1)
            deadzone_set_route(&box, Int32(device.rawValue), old, 0)
        }

        private static func native(_ address: Address) -> deadzone_address {
            var native = deadzone_address()
            native.ipv4 = address.ipv4.bigEndian
            withUnsafeMutableBytes(of: &native.ipv6) { bytes in
                for (place, shift) in stride(from: 120, through: 0, by: -8).enumerated() {
                    bytes[place] = UInt8(truncatingIfNeeded: address.ipv6 >> UInt128(shift))
                }
            }
            return native
        }

        /// A command of the user's, outside of the namespaces. Nobody waits for it; it ends with this process.
        public static func runOutside(_ command: String) { _ = deadzone_run_outside(command) }

        /// Words as C has them, while this lives.
        private final class Words {
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

        public init(
            _ programs: [Program], forwards: [Forward] = [], gateway: Gateway? = nil, server: Address, hosts: String,
            resolver: String
        ) throws(SystemFault) { throw Self.refusal }

        public func read(_ device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
        public func write(_ packet: UnsafeRawBufferPointer, to device: Device) {}
        public func output(of program: Int) -> [UInt8] { [] }
        public func wait(atMost span: TimeSpan) -> Ready { Ready() }
        public func launch(_ program: Int) {}
        public func signal(_ program: Int, _ signal: Signal) {}
        public func serverListens(within span: TimeSpan, unless isStopped: () -> Bool) -> Bool { false }
        public func nextEnding() throws(SystemFault) -> Ending? { throw Self.refusal }
        public func set(_ device: Device, address: Address?, rank: Int32) {}
        public func rerank(_ device: Device, from old: Int32, to new: Int32) {}
        public static func runOutside(_ command: String) {}
    #endif
}
