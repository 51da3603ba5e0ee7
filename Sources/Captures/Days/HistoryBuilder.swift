/// Collects the changes of one history while it is read.
struct HistoryBuilder {
    /// Different unknown words that are counted by name.
    static let maximumUnknown = 200
    static let maximumPackages = 20_000
    static let maximumTexts = 65_536
    /// Longest time since the beginning of a history that is believed, in milliseconds: 400 days.
    static let maximumTime: Int64 = 400 * 86_400_000

    /// The meaning of a text in the check-in form's pool.
    struct PooledText {
        var uid: Int32 = -1
        var package: Int32 = -1
        var isPush = false
        var state = ConnectivityState.unknown
    }

    var history = BatteryHistory()
    private let words = HistoryWord.byHash
    private let technologies = CellularState.byHash
    private var unknown: [UInt64: (word: String, count: Int)] = [:]
    private var unknownOthers = 0
    private var packageIndex: [String: Int32] = [:]
    /// First package that was seen with each user id.
    private var packageOfUser: [Int32: Int32] = [:]
    var texts: [PooledText] = []
    /// Time of the first entry, as printed.
    private var base: Int64?
    private var previous: Int64 = 0
    /// Latest time of each kind of word. A change is never placed before the change that it follows.
    private var latest = [Int64](repeating: 0, count: HistoryWord.allCases.count)
    /// `true` if all words of the present entry are known.
    private var isUnderstood = true
    private var now: Int64 = 0
    private var hasStarted = false
    /// `true` for each kind of state that was seen before.
    private var isSeen = [Bool](repeating: false, count: HistoryWord.allCases.count)
    /// `true` if an event was added with an earlier time than the one before it.
    private var isUnordered = false

    init() {}

    /// Begins the next history of the same file, which has the same texts.
    init(sharing other: HistoryBuilder) {
        texts = other.texts
        history.form = other.history.form
        history.packages = other.history.packages
        packageIndex = other.packageIndex
        packageOfUser = other.packageOfUser
    }

    // MARK: Entries

    /// Begins an entry at the printed time. Returns `false` if the time is not credible.
    mutating func beginEntry(at printed: Int64) -> Bool {
        history.entries += 1
        let start = base ?? printed
        base = start
        let at = printed - start
        guard -Self.maximumTime < at, at < Self.maximumTime else { return false }
        if at < previous {
            history.backwardEntries += 1
            history.largestStepBack = max(history.largestStepBack, previous - at)
        }
        previous = at
        now = max(at, 0)
        history.length = max(history.length, now)
        isUnderstood = true
        return true
    }

    /// Begins an entry of the check-in form, which prints the time since the entry before it.
    mutating func beginEntry(after delta: Int64) -> Bool {
        guard delta.magnitude < Self.maximumTime else {
            history.entries += 1
            return false
        }
        return beginEntry(at: (base ?? 0) + previous + delta)
    }

    mutating func endEntry() { if isUnderstood { history.understoodEntries += 1 } }

    mutating func markUnknown(_ name: some Collection<UInt8>) {
        isUnderstood = false
        let hash = HistoryWord.hash(name)
        if unknown[hash] != nil {
            unknown[hash]?.count += 1
        } else if unknown.count < Self.maximumUnknown {
            let isPlain = name.allSatisfy { byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 95
            }
            unknown[hash] = (isPlain && name.count <= 40 ? String(decoding: name, as: UTF8.self) : "(no word)", 1)
        } else {
            unknownOthers += 1
        }
    }

    private mutating func add(_ word: HistoryWord, value: UInt8 = 0, subject: Int32 = -1) {
        guard history.events.count < HistoryReader.maximumEvents else {
            history.isCut = true
            return
        }
        let index = Int(word.rawValue)
        isSeen[index] = true
        latest[index] = max(latest[index], now)
        history.events.append(HistoryEvent(latest[index], word, value: value, subject: subject))
    }

    /// Adds a state at the beginning of the history if its end is the first thing that is said about it. A phone prints
    /// all states after a reset, but a file may lack its beginning.
    private mutating func addBeginning(_ word: HistoryWord, value: UInt8 = 0, subject: Int32 = -1) {
        guard !isSeen[Int(word.rawValue)], now > 0, history.events.count < HistoryReader.maximumEvents else { return }
        isUnordered = true
        history.events.append(HistoryEvent(0, word, value: value, subject: subject))
    }

    // MARK: Commands

    mutating func addClock(wall: Int64) {
        history.clock.append(ClockReading(at: now, wall: wall, followsStart: hasStarted))
        hasStarted = false
        add(.time)
    }

    mutating func addStart() {
        hasStarted = true
        add(.start)
    }

    mutating func addShutdown() { add(.shutdown) }

    mutating func addOverflow() { history.overflow = history.overflow ?? now }

    // MARK: Words

    /// Looks up a word by the bytes of its name.
    func word(_ name: some Sequence<UInt8>) -> HistoryWord? { words[HistoryWord.hash(name)] }

    /// Adds a state that is on or off, or one of several values.
    mutating func addState(_ word: HistoryWord, isOn: Bool?, _ value: UnsafeBufferPointer<UInt8>) {
        switch word {
        case .screen, .plugged, .powerSave, .mobileRadio, .wifiRadio, .call, .running, .wifi:
            guard let isOn else { return }
            if !isOn { addBeginning(word, value: 1) }
            add(word, value: isOn ? 1 : 0)
        case .doze:
            if let isOn {
                history.hasPlainDoze = true
                if !isOn { addBeginning(.doze, value: RecordedDoze.deep.rawValue) }
                add(.doze, value: isOn ? RecordedDoze.deep.rawValue : RecordedDoze.off.rawValue)
            } else {
                add(.doze, value: Self.doze(value))
            }
        case .technology:
            let state = technologies[HistoryWord.hash(value)] ?? .other
            if state == .outOfService { history.saysOutOfService = true }
            add(.technology, value: state.rawValue)
        case .phoneState: add(.phoneState, value: Self.phoneState(value).rawValue)
        case .supplicant: add(.supplicant, value: Self.association(value).rawValue)
        case .nrState:
            add(.nrState, value: value.elementsEqual("3".utf8) || value.elementsEqual("connected".utf8) ? 1 : 0)
        case .connectivity, .top, .radioWake, .allowList, .job, .start, .shutdown, .time, .overflow, .unused, .names,
            .locked, .signalBars:
            return
        }
    }

    /// Adds an event of a user id. `isOn` is `nil` for an event without a sign.
    mutating func addEvent(_ word: HistoryWord, isOn: Bool?, _ text: PooledText) {
        switch word {
        case .connectivity:
            if text.state == .disconnected {
                addBeginning(.connectivity, value: ConnectivityState.connected.rawValue, subject: text.uid)
            }
            add(.connectivity, value: text.state.rawValue, subject: text.uid)
        case .top: add(.top, value: isOn == false ? 0 : 1, subject: text.package)
        case .radioWake: add(.radioWake, subject: text.uid)
        case .job where isOn == false: add(.job, subject: text.uid)
        case .allowList where isOn != false && text.isPush: add(.allowList, value: 1, subject: text.uid)
        default: return
        }
    }

    /// Keeps what a quoted text means: a package name, a push, or the state of a network. Drops the text itself.
    mutating func pooled(_ uid: Int32, _ text: UnsafeBufferPointer<UInt8>) -> PooledText {
        var result = PooledText(uid: uid)
        if let name = PackageName.read(text) {
            let package = index(of: name)
            result.package = package
            if package >= 0, packageOfUser[uid] == nil { packageOfUser[uid] = package }
        }
        result.isPush = Self.contains(text, "c2dm.intent.RECEIVE")
        if text.elementsEqual("CONNECTED".utf8) {
            result.state = .connected
        } else if text.elementsEqual("DISCONNECTED".utf8) {
            result.state = .disconnected
        } else if text.elementsEqual("SUSPENDED".utf8) {
            result.state = .suspended
        }
        return result
    }

    private mutating func index(of name: String) -> Int32 {
        if let known = packageIndex[name] { return known }
        guard history.packages.count < Self.maximumPackages else { return -1 }
        let index = Int32(history.packages.count)
        history.packages.append(name)
        packageIndex[name] = index
        return index
    }

    static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: StaticString) -> Bool {
        let count = part.utf8CodeUnitCount
        guard text.count >= count else { return false }
        return part.withUTF8Buffer { wanted in
            for start in 0...(text.count - count) where text[start] == wanted[0] {
                if text[start..<(start + count)].elementsEqual(wanted) { return true }
            }
            return false
        }
    }

    private static func doze(_ value: UnsafeBufferPointer<UInt8>) -> UInt8 {
        if value.elementsEqual("light".utf8) { return RecordedDoze.light.rawValue }
        return (value.elementsEqual("full".utf8) ? RecordedDoze.deep : .off).rawValue
    }

    private static func phoneState(_ value: UnsafeBufferPointer<UInt8>) -> PhoneState {
        if value.elementsEqual("out".utf8) { return .outOfService }
        if value.elementsEqual("em".utf8) || value.elementsEqual("emergency".utf8) { return .emergencyOnly }
        return value.elementsEqual("off".utf8) ? .off : .inService
    }

    private static func association(_ value: UnsafeBufferPointer<UInt8>) -> Association {
        if value.starts(with: "compl".utf8) { return .joined }
        let joining = ["authenticating", "auth", "associating", "ascing", "associated", "asced", "4-way", "group"]
        return joining.contains { value.starts(with: $0.utf8) } ? .joining : .away
    }

    // MARK: End

    /// Sorts the changes by time, those of one time in the order of the file.
    mutating func finish() -> BatteryHistory {
        if history.backwardEntries > 0 || isUnordered { history.events.sortByTime() }
        var counted = unknown.values.sorted { ($1.count, $0.word) < ($0.count, $1.word) }
        if unknownOthers > 0 { counted.append(("others", unknownOthers)) }
        history.unknownWords = counted.map { ($0.word, $0.count) }
        history.users = packageOfUser
        return history
    }
}

extension [HistoryEvent] {
    /// Sorts by time. The changes of one time keep their order.
    ///
    /// Nearly all changes are in order, and a few lie some milliseconds back. So each change that is too early moves back
    /// to its place. If the changes move too far, as in a file that was put together from parts, all are sorted anew.
    mutating func sortByTime() {
        var rest = 8 * count
        for index in indices.dropFirst() where self[index].at < self[index - 1].at {
            let event = self[index]
            var place = index
            while place > 0, event.at < self[place - 1].at {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = event
            rest -= index - place
            guard rest > 0 else { return sortAnew() }
        }
    }

    private mutating func sortAnew() {
        let order = (0..<UInt32(count)).sorted { (self[Int($0)].at, $0) < (self[Int($1)].at, $1) }
        self = order.map { self[Int($0)] }
    }
}

/// Recognises package names among the quoted texts of a history.
enum PackageName {
    private static let maximumLength = 200

    /// The package at the beginning of a text such as `com.example.chat/.Job`; `nil` if the text is anything else. A
    /// text with `@` is never a package, because it may contain an account.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        let name = text.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
        guard name.count <= maximumLength, name.contains(UInt8(ascii: ".")), !text.contains(UInt8(ascii: "@")),
            let first = name.first, (97...122).contains(first) || (65...90).contains(first),
            name.last != UInt8(ascii: "."),
            name.allSatisfy({
                (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 46
            })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
