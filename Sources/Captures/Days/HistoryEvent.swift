/// One change in a battery history. 16 bytes, because a long history has a million of them.
struct HistoryEvent: Sendable, BitwiseCopyable {
    /// Time in the upper 48 bits, then the word and the value. A time is at most 400 days, or the year 5000 of a Powerlog.
    private var packed: Int64
    /// User id of an event, or of `top` the index of its package name in the history's table; the network's type for
    /// `connectivity`; -1 if there is none.
    let subject: Int32

    /// - Parameter value: value of a state: 1 and 0 for on and off, or the raw value of its type. For `connectivity`, a
    ///   `ConnectivityState`. For `allowList`, 1 if a push is the reason. For `top`, 1 when the app enters the front and 0
    ///   when it leaves.
    init(_ at: Int64, _ word: HistoryWord, value: UInt8 = 0, subject: Int32 = -1) {
        packed = at << 16 | Int64(word.rawValue) << 8 | Int64(value)
        self.subject = subject
    }

    /// Milliseconds since the beginning of the history, on the phone's clock that counts sleep.
    var at: Int64 {
        get { packed >> 16 }
        set { packed = newValue << 16 | packed & 0xffff }
    }

    var value: UInt8 { UInt8(truncatingIfNeeded: packed) }
    var kind: HistoryWord { HistoryWord(rawValue: UInt8(truncatingIfNeeded: packed >> 8)) ?? .unused }
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
    /// `true` if the file ends with an entry that has no newline, so that the entry may be cut. A phone ends each line.
    package internal(set) var endsInLine = false
    /// Milliseconds from the first to the last entry.
    package internal(set) var length: Int64 = 0
    /// Number of other histories in the file: earlier ones that ended with a reset, and copies in another form.
    package internal(set) var otherHistories = 0
    /// Milliseconds of the longest of the other histories; 0 if there are none.
    package internal(set) var secondLength: Int64 = 0
    /// Name of the archive's entry with this history; `nil` for a file that is no archive.
    package internal(set) var source: String?
    /// Other entries of the archive with a history.
    package internal(set) var otherSources: [HistorySource] = []
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
}

/// An entry of an archive that contains a history.
package struct HistorySource: Hashable, Sendable {
    package let name: String
    /// Milliseconds of the longest history of the entry, and number of its changes.
    package let length: Int64
    package let entries: Int
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
}
