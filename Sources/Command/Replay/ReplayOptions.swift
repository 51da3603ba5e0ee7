import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReplay
import DeadzoneReporting
import DeadzoneSettings

/// The flags of `replay`, read.
struct ReplayOptions {
    let path: String
    let device: [Address]
    let filter: CaptureFilter?
    /// A name or a file.
    let profile: String?
    let rules: ReplayRules
    let stamps: StampMeaning
    let window: ReplayWindow
    /// Only packets of this interface of the capture.
    let interface: String?

    var isInput: Bool { path == Expansion.standardInput }
    var shownPath: String { isInput ? "standard input" : path }
    /// The flags that make this again, as they were given.
    let givenFlags: [String]
    /// …beside the radio's, and files without their folders: a result is the same from any folder.
    let flags: [String]

    init(_ invocation: Invocation) throws(CommandFault) {
        path = invocation.arguments[0]
        (givenFlags, flags) = (Self.flags(invocation, isBare: false), Self.flags(invocation, isBare: true))
        profile = invocation.text(.profile)
        rules = invocation.text(.rules).flatMap { ReplayRules(rawValue: $0) } ?? .physical
        stamps = invocation.text(.stamps).flatMap { StampMeaning(rawValue: $0) } ?? .flowed
        window = try Self.window(invocation)
        interface = invocation.text(.onlyInterface)
        var device: [Address] = []
        for word in invocation.texts(.device) {
            guard let address = Address(word) else {
                throw CommandFault(
                    .badFlagValue, "`--device` cannot be \(quote(word))",
                    help: ["an IPv4 or IPv6 address, such as 10.0.0.7 or 2001:db8::7"])
            }
            device.append(address)
        }
        self.device = device
        do throws(CaptureFault) {
            filter = try invocation.text(.filter).map { expression throws(CaptureFault) in
                try CaptureFilter(expression)
            }
        } catch {
            throw CommandFault(
                .badFlagValue, "`--filter`: \(visible(error.message, atMost: 200))",
                help: [error.help ?? "man 7 pcap-filter explains the expressions of tcpdump"])
        }
    }
}

extension ReplayOptions {
    /// The command that makes this again.
    var command: String { (["deadzone replay", shellWord(path)] + givenFlags).joined(separator: " ") }

    private static func flags(_ invocation: Invocation, isBare: Bool) -> [String] {
        let plain: [Flag] = (isBare ? [] : [.profile, .rules, .stamps]) + [.from, .until, .filter, .onlyInterface]
        let files: [Flag] = [.strategies]
        func words(_ flag: Flag, _ value: String) -> String { "--\(flag.name) \(shellWord(value))" }
        func bare(_ path: String) -> String { isBare ? path.split(separator: "/").last.map(String.init) ?? path : path }
        return files.compactMap { flag in invocation.text(flag).map { words(flag, bare($0)) } }
            + invocation.texts(.device).map { words(.device, $0) }
            + plain.compactMap { flag in invocation.text(flag).map { words(flag, $0) } }
    }

    private static func window(_ invocation: Invocation) throws(CommandFault) -> ReplayWindow {
        var window = ReplayWindow()
        if let text = invocation.text(.from) { window.from = try ReplayMoments.read(text, "--from") }
        if let text = invocation.text(.until) {
            window.until = text == "tail" ? .tail : .moment(try ReplayMoments.read(text, "--until"))
        }
        return window
    }
}

/// A capture that has begun to be read.
struct OpenedCapture {
    let reader: CaptureReader

    init(_ options: ReplayOptions, _ surroundings: Surroundings) throws(CommandFault) {
        let source = try Self.source(options, surroundings)
        do throws(CaptureFault) {
            reader = try CaptureReader(source, device: options.device, filter: options.filter)
        } catch {
            throw .unreadableCapture(options.shownPath, error)
        }
    }

    private static func source(
        _ options: ReplayOptions, _ surroundings: Surroundings
    ) throws(CommandFault) -> ByteSource {
        let file: ByteFile
        do throws(SystemFault) {
            if options.isInput {
                guard let input = surroundings.inputFile else {
                    return source(of: try surroundings.input(.max))
                }
                file = input
            } else {
                guard Files.kind(of: options.path) != .missing else {
                    throw SystemFault("nothing matches", options.path, because: "there is no such file")
                }
                file = try ByteFile(options.path)
            }
        } catch {
            if error.code == 0 {
                throw CommandFault(.nothingMatched, error.message.visible, help: ["name a pcap or pcapng file"])
            }
            throw .unreadable(error)
        }
        return { buffer throws(SourceFailure) in
            do throws(SystemFault) { return try file.read(buffer) } catch { throw SourceFailure(error.message) }
        }
    }

    private static func source(of bytes: [UInt8]) -> ByteSource {
        var given = 0
        return { buffer throws(SourceFailure) in
            let count = min(buffer.count, bytes.count - given)
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[given..<(given + count)])) }
            given += count
            return count
        }
    }
}
