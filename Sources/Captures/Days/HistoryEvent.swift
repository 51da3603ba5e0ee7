/// One change in a battery history. 24 bytes, because a long history has a million of them.
struct HistoryEvent: Sendable, BitwiseCopyable {
    /// Milliseconds since the beginning of the history, on the phone's clock that counts sleep.
    var at: Int64
    var word: UInt8
    /// Value of a state: 1 and 0 for on and off, or the raw value of its type. For events, see `detail`.
    var value: UInt8
    /// For `connectivity`, a `ConnectivityState`. For `allowList`, 1 if a push is the reason. For `top`, 1 when the app
    /// enters the front and 0 when it leaves.
    var detail: UInt8
    /// User id of an event; the network's type for `connectivity`; -1 if there is none.
    var uid: Int32
    /// Index of the package name in the history's table; -1 if there is none.
    var package: Int32

    init(_ at: Int64, _ word: HistoryWord, value: UInt8 = 0, detail: UInt8 = 0, uid: Int32 = -1, package: Int32 = -1) {
        self.at = at
        self.word = word.rawValue
        self.value = value
        self.detail = detail
        self.uid = uid
        self.package = package
    }

    var kind: HistoryWord { HistoryWord(rawValue: word) ?? .unused }
}

/// A reading of the wall clock in the history.
package struct ClockReading: Hashable, Sendable {
    /// Milliseconds since the beginning of the history.
    package let at: Int64
    /// Milliseconds since 1970. The long form prints local time, which is read here as if it were UTC.
    package let wall: Int64
    /// `true` if the reading follows a start of the phone, so that the time of the downtime lies before it.
    package var followsStart: Bool
}

/// A battery history as it stands in a file: the changes in time order, and what was not understood.
package struct BatteryHistory: Sendable {
    /// The two forms in which Android prints a history, and the log of iOS.
    package enum HistoryForm: String, Sendable {
        case long = "dumpsys batterystats"
        case checkin = "dumpsys batterystats --checkin"
        case powerlog = "Powerlog"
    }

    package internal(set) var form = HistoryForm.long
    var events: [HistoryEvent] = []
    package internal(set) var packages: [String] = []
    package internal(set) var clock: [ClockReading] = []
    /// Number of entries, and of those with only known words.
    package internal(set) var entries = 0
    package internal(set) var understoodEntries = 0
    /// Words that are not known, with their number of occurrences, most frequent first.
    package internal(set) var unknownWords: [(word: String, count: Int)] = []
    /// Number of entries with an earlier time than the entry before them.
    package internal(set) var backwardEntries = 0
    /// Largest step back in milliseconds.
    package internal(set) var largestStepBack: Int64 = 0
    /// Time at which the phone's buffer was full, so that later changes are missing. `nil` if it never was.
    package internal(set) var overflow: Int64?
    /// `true` if the file has more changes than this program keeps.
    package internal(set) var isCut = false
    /// Milliseconds from the first to the last entry.
    package internal(set) var length: Int64 = 0
    /// Number of other histories in the file: earlier ones that ended with a reset, and copies in another form.
    package internal(set) var otherHistories = 0
    /// Size of the phone's history buffer in KiB, as the long form says it; it differs by release of Android.
    var bufferSize = 0
    /// Doze as on or off only, as Android 6 prints it.
    var hasPlainDoze = false
    /// `true` if `data_conn` has its value for "out of service".
    var saysOutOfService = false
    /// Index of the package that belongs to a user id.
    var users: [Int32: Int32] = [:]
    package internal(set) var totals = FileTotals()
    /// Bytes by app and interval; empty in a history of Android.
    var traffic: [TrafficInterval] = []
    /// Keepalives of the phone's own push connection; `nil` if the file does not count them.
    package internal(set) var keepalives: PushKeepalives?

    init() {}
}

/// Sums that the phone itself printed, in milliseconds, for the time without a charger. `nil` if the file does not
/// have them.
package struct FileTotals: Hashable, Sendable {
    package internal(set) var onBattery: Int64?
    package internal(set) var screenOn: Int64?
    package internal(set) var lightDoze: Int64?
    package internal(set) var deepDoze: Int64?
    package internal(set) var mobileRadio: Int64?
    /// Time between the end of the mobile radio's busy times and the moments at which the processor woke up and
    /// recorded them. The phone prints milliseconds as microseconds, so the file has a thousandth of the number.
    package internal(set) var lateMobile: Int64?
    package internal(set) var wifiRadio: Int64?
    package internal(set) var wifiConnected: Int64?
    package internal(set) var mobileBytes: Int64?
    package internal(set) var wifiBytes: Int64?
    /// Release of Android from the properties in a bug report.
    package internal(set) var release: Int?
    /// Name of the time zone from the properties in a bug report.
    package internal(set) var timeZone: String?

    init() {}
}
