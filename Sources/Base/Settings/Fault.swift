/// One error in a user's file: the mistake, its position, and the text to write instead.
public struct Fault: Hashable, Sendable {
    public var code: FaultCode
    public var mark: SourceMark
    /// Number of columns that the caret underlines.
    package var width: Int
    /// The fault, including the text found: "unknown setting `intervall`".
    public var message: String
    /// Short text beside the caret: "did you mean `interval`?".
    public var label: String
    /// Advice: the correct form, or where to look.
    public var help: String
    /// Text that would be right in place of the underlined columns; `nil` if there is no suggestion.
    package var replacement: String?

    public init(
        _ code: FaultCode, at mark: SourceMark, width: Int = 1, _ message: String, label: String = "", help: String = ""
    ) {
        self.code = code
        self.mark = mark
        self.width = width
        self.message = message
        self.label = label
        self.help = help
    }
}

/// Collects the errors in a user's files, without duplicates. Readers of nested parts pass one list along.
public struct Faults: Sendable {
    /// Maximum number of faults that are shown for one file.
    package static let maxShown = 20
    /// Maximum number of faults that are stored. Further faults are only counted.
    static let maxKept = 200

    private var stored: [Fault] = []
    /// Number of different faults.
    public private(set) var count = 0
    /// Number of calls that noted a fault, with repeated faults. A reader compares it with an earlier value: if a part is
    /// read twice, its second reading fails as well, although it adds no fault to the list.
    package private(set) var found = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }
    package var isFull: Bool { stored.count >= Self.maxKept }

    public mutating func note(_ fault: Fault) {
        found += 1
        if !isFull {
            if stored.contains(fault) { return }
            stored.append(fault)
        }
        count += 1
    }

    /// Counts faults without storing them. Used when the list is full, so that no message is built that is never shown.
    mutating func countWithoutStoring(_ more: Int) {
        count += more
        found += more
    }

    package mutating func note(contentsOf faults: Faults) {
        for fault in faults.stored { note(fault) }
    }

    /// The first `maxShown` faults in file order.
    public var sorted: [Fault] {
        stored.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
            .prefix(Self.maxShown).map(\.element)
    }

    /// Number of faults that `sorted` leaves out.
    package var hiddenCount: Int { max(0, count - Self.maxShown) }
}

/// Text of a user's file in backticks: at most 200 characters, without characters that control a terminal.
package func quote(_ text: String) -> String { "`" + visible(text, atMost: 200) + "`" }

/// The printable form of a text, cut to at most `limit` Unicode scalars.
package func visible(_ text: String, atMost limit: Int = .max) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return TerminalEscaper.escape(text) }
    return TerminalEscaper.escape(String(scalars[..<end])) + "…"
}
