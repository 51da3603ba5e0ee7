import DeadzonePrimitives

/// One thing that is wrong in a user's file, said so that it can be put right.
public struct Fault: Hashable, Sendable {
    public var code: FaultCode
    public var mark: Mark
    /// How many columns the caret underlines.
    public var width: Int
    /// What is wrong, with what stands there: "unknown setting `intervall`".
    public var message: String
    /// Said beside the caret: "did you mean `interval`?".
    public var label: String
    /// What would be right.
    public var help: String

    public init(
        _ code: FaultCode, at mark: Mark, width: Int = 1, _ message: String, label: String = "", help: String = ""
    ) {
        self.code = code
        self.mark = mark
        self.width = width
        self.message = message
        self.label = label
        self.help = help
    }
}

/// The faults found so far, each once. Readers of nested parts pass one list along.
public struct Faults: Sendable {
    /// More than this of one reading is noise.
    public static let shown = 20
    /// Beyond this they are counted and no longer kept.
    static let kept = 200

    private var noted: [Fault] = []
    public private(set) var count = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }
    public var isFull: Bool { noted.count >= Self.kept }

    public mutating func note(_ fault: Fault) {
        if !isFull {
            if noted.contains(fault) { return }
            noted.append(fault)
        }
        count += 1
    }

    /// Counts what there is no more room for, so that nobody words a fault that nobody will read.
    mutating func countUnread(_ more: Int) { count += more }

    public mutating func note(contentsOf faults: Faults) {
        for fault in faults.noted { note(fault) }
    }

    /// In the order of the file, at most `shown`.
    public var sorted: [Fault] {
        noted.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
            .prefix(Self.shown).map(\.element)
    }

    /// How many `sorted` leaves out.
    public var unseen: Int { max(0, count - Self.shown) }
}

/// Quotes what a user wrote: bounded, and without characters that would steer a terminal.
public func quote(_ text: String) -> String { "`" + visible(text, atMost: 200) + "`" }

/// What of the text can be shown, cut to so many characters of it.
public func visible(_ text: String, atMost limit: Int = .max) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return Visible.text(text) }
    return Visible.text(String(scalars[..<end])) + "…"
}
