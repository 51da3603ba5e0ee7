import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReplay
import DeadzoneSettings

/// The flags of `replay`, read.
struct ReplayOptions {
    /// Files and folders as they were named.
    let paths: [String]
    let device: [Address]
    let filter: CaptureFilter?
    /// A name or a file.
    let profile: String?
    let rules: ReplayRules
    let stamps: StampMeaning
    let window: ReplayWindow
    /// Only packets of this interface of the capture.
    let interface: String?

    var isInput: Bool { paths == [Expansion.standardInput] }
    var shownPath: String {
        isInput ? "standard input" : paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
    }
    /// The flags that make this again, as they were given.
    let givenFlags: [String]
    /// …beside the radio's, and files without their folders: a result is the same from any folder.
    let flags: [String]

    init(_ invocation: Invocation) throws(CommandFault) {
        paths = invocation.arguments
        if paths.count > 1, paths.contains(Expansion.standardInput) {
            throw CommandFault(.conflict, "standard input is a capture of its own", help: ["name files, or - alone"])
        }
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
    var command: String { (["deadzone replay"] + paths.map(shellWord) + givenFlags).joined(separator: " ") }

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
    /// Of how many files it is, and what was left out of folders because it is no capture.
    let notes: [String]

    init(_ options: ReplayOptions, _ surroundings: Surroundings) throws(CommandFault) {
        let files = CaptureFiles(options.paths)
        let isOne = options.isInput || files.isOne
        let parts: (captures: [CapturePart], notes: [String]) = isOne ? ([], []) : try files.inOrder()
        notes = parts.notes
        let source = isOne ? try Self.source(options, surroundings) : nil
        do throws(CaptureFault) {
            if let source {
                reader = try CaptureReader(source, device: options.device, filter: options.filter)
            } else {
                reader = try CaptureReader(parts.captures, device: options.device, filter: options.filter)
            }
        } catch {
            throw .unreadableCapture(options.shownPath, error)
        }
    }

    private static func source(
        _ options: ReplayOptions, _ surroundings: Surroundings
    ) throws(CommandFault) -> ByteSource {
        do throws(SystemFault) {
            guard options.isInput else { return try CaptureFiles.source(options.paths[0]) }
            guard let input = surroundings.inputFile else { return source(of: try surroundings.input(.max)) }
            return CaptureFiles.source(input)
        } catch {
            throw .unreadable(error)
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
