/// Maps each IP address in a capture to its host name. The name is the one it was last resolved from, by DNS answers
/// and name records of the file.
struct AddressNames {
    /// Number of addresses kept; more than a phone contacts in weeks.
    static let capacity = 65_536

    /// The bytes of each name. They become a text only for a report: a phone resolves the same names again and again.
    private var names: [IPAddress: [UInt8]] = [:]
    /// The name in the answer that is read.
    fileprivate var read = DNS.DNSName()

    func name(of address: IPAddress) -> String? { names[address].map { String(decoding: $0, as: UTF8.self) } }

    mutating func add(_ address: IPAddress, _ name: String) { add(address, Array(name.utf8)) }

    private mutating func add(_ address: IPAddress, _ name: [UInt8]) {
        let known = names[address]
        guard known != name, known != nil || names.count < Self.capacity, !name.isEmpty else { return }
        names[address] = name
    }

    /// Adds the name that was read. The address is hashed once, and only a new name is copied.
    fileprivate mutating func addRead(_ address: IPAddress) {
        guard let index = names.index(forKey: address) else { return add(address, read.bytes) }
        if !read.isEmpty, !read.equals(names.values[index]) { names.values[index] = read.bytes }
    }
}

/// Decodes captured DNS answers to learn the names of addresses (RFC 1035, section 4.1). The queried name is assigned
/// to every address in the answer, whatever aliases are between them.
enum DNS {
    private static let mostRecords = 64
    /// Limit of labels and compression jumps in one name.
    private static let mostSteps = 128

    /// A name in lower case and without the final dot, at most 255 bytes. Its memory is reused for the next name.
    struct DNSName {
        private var storage = [UInt8](repeating: 0, count: 256)
        private var count = 0
        /// A copy that several addresses share.
        private var copy: [UInt8]?

        var isEmpty: Bool { count == 0 }

        var bytes: [UInt8] {
            mutating get {
                let bytes = copy ?? Array(storage[..<count])
                copy = bytes
                return bytes
            }
        }

        func equals(_ other: [UInt8]) -> Bool {
            let name = storage.span.extracting(0..<count)
            guard other.count == count else { return false }
            for index in name.indices where name[index] != other[index] { return false }
            return true
        }

        mutating func clear() { (count, copy) = (0, nil) }

        /// Adds a label after a dot. Returns `false` if the name becomes too long.
        mutating func add(_ label: Bytes) -> Bool {
            guard count + label.count < 255 else { return false }
            if count > 0 {
                storage[count] = UInt8(ascii: ".")
                count += 1
            }
            let start = count
            count += label.count
            var storage = storage.mutableSpan
            for index in 0..<label.count { storage[start &+ index] = label[index].lowercased }
            return true
        }
    }

    static func readAnswer(_ message: Bytes, _ addressNames: inout AddressNames) {
        // Accept only a response to a standard query with one question.
        guard message.holds(12, at: 0), message[2] & 0xf8 == 0x80, message.big16(4) == 1 else { return }
        var at = 12
        guard readName(message, &at, &addressNames.read), message.holds(4, at: at) else { return }
        at += 4
        for _ in 0..<min(Int(message.big16(6)), mostRecords) {
            guard skipName(message, &at), message.holds(10, at: at) else { return }
            let (type, length) = (message.big16(at), Int(message.big16(at + 8)))
            at += 10
            guard message.holds(length, at: at) else { return }
            switch (type, length) {
            case (1, 4): addressNames.addRead(.ipv4(message.big32(at)))
            case (28, 16): addressNames.addRead(.ipv6(message.big128(at)))
            default: break
            }
            at += length
        }
    }

    /// Reads the name at `at`; moves `at` behind it.
    private static func readName(_ message: Bytes, _ at: inout Int, _ name: inout DNSName) -> Bool {
        name.clear()
        var place = at
        var hasJumped = false
        for _ in 0..<mostSteps {
            guard message.holds(1, at: place) else { return false }
            let length = Int(message[place])
            switch length {
            case 0:
                if !hasJumped { at = place + 1 }
                return true
            case 1...63:
                guard message.holds(length, at: place + 1), name.add(message.part(place + 1, length)) else {
                    return false
                }
                place += 1 + length
            case 0xc0...0xff:
                guard message.holds(2, at: place) else { return false }
                if !hasJumped { at = place + 2 }
                hasJumped = true
                place = Int(message.big16(place) & 0x3fff)
            default: return false
            }
        }
        return false
    }

    private static func skipName(_ message: Bytes, _ at: inout Int) -> Bool {
        for _ in 0..<mostSteps {
            guard message.holds(1, at: at) else { return false }
            let length = Int(message[at])
            if length == 0 {
                at += 1
                return true
            }
            if length >= 0xc0 {
                at += 2
                return true
            }
            guard length < 64 else { return false }
            at += 1 + length
        }
        return false
    }
}

/// Finds the server name in a captured TLS ClientHello (RFC 8446, section 4.1.2; RFC 6066, section 3).
enum ClientHello {
    enum NameResult: Equatable {
        case name(String)
        /// A ClientHello without a name, or not a ClientHello.
        case nothing
        /// The ClientHello continues in the next segment.
        case needsMore
    }

    static func looksLikeOne(_ bytes: Bytes) -> Bool {
        bytes.count >= 6 && bytes[0] == 22 && bytes[1] == 3 && bytes[5] == 1
    }

    /// - Parameter bytes: The stream from its first byte.
    static func read(_ bytes: Bytes) -> NameResult {
        guard looksLikeOne(bytes) else { return .nothing }
        // Record header 5, message header 4, version 2, random 32.
        var at = 43
        guard skip(bytes, &at, lengthBytes: 1), skip(bytes, &at, lengthBytes: 2), skip(bytes, &at, lengthBytes: 1),
            bytes.holds(2, at: at)
        else { return .needsMore }
        let end = at + 2 + Int(bytes.big16(at))
        at += 2
        while at < end {
            guard bytes.holds(4, at: at) else { return .needsMore }
            let (type, length) = (bytes.big16(at), Int(bytes.big16(at + 2)))
            at += 4
            if type == 0 {
                guard bytes.holds(length, at: at) else { return .needsMore }
                return readName(bytes.dropFirst(at).prefix(length))
            }
            at += length
        }
        return .nothing
    }

    /// Reads the server name list, which has one entry; type 0 is a host name.
    private static func readName(_ list: Bytes) -> NameResult {
        guard list.holds(5, at: 0), list[2] == 0 else { return .nothing }
        let length = Int(list.big16(3))
        guard (1...255).contains(length), list.holds(length, at: 5) else { return .nothing }
        return .name(list.text(5, atMost: length))
    }

    private static func skip(_ bytes: Bytes, _ at: inout Int, lengthBytes: Int) -> Bool {
        guard bytes.holds(lengthBytes, at: at) else { return false }
        at += lengthBytes + (lengthBytes == 1 ? Int(bytes[at]) : Int(bytes.big16(at)))
        return true
    }
}
