extension ValueFormat where Value == TimeSpan {
    public static func span(in range: ClosedRange<TimeSpan> = .zero ... .longest) -> ValueFormat {
        ValueFormat<Int64>.quantity(.span, in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds)
            .map {
                .nanoseconds($0)
            } back: {
                $0.nanoseconds
            }
    }
}

extension ValueFormat where Value == BitCost {
    package static var cost: ValueFormat {
        ValueFormat<Int64>.quantity(.bitCost, in: 0...1_000_000_000_000).map {
            BitCost(femtojoules: $0)
        } back: {
            $0.femtojoules
        }
    }
}

extension ValueFormat where Value == Bool {
    public static var flag: ValueFormat {
        ValueFormat(
            "true or false", shape: { .boolean },
            read: { node, faults in
                guard let (text, quoted) = node.scalar("true or false", &faults) else { return nil }
                switch (text, quoted) {
                case ("true", false): return true
                case ("false", false): return false
                case ("true", true), ("false", true):
                    faults.note(
                        node.fault(.notABoolean, "\(quote(text)) in quotes is a text", label: "remove the quotes"))
                default:
                    let meant = yaml11Booleans[text.lowercased()]
                    faults.note(
                        node.fault(
                            .notABoolean, "\(quote(text)) is not true or false",
                            label: meant.map { "write \($0)" } ?? "expected true or false",
                            help: meant == nil
                                ? "" : "YAML 1.1 reads on, off, yes and no as booleans, YAML 1.2 as words"))
                }
                return nil
            },
            write: { .text($0 ? "true" : "false") })
    }

    private static var yaml11Booleans: [String: Bool] {
        ["yes": true, "y": true, "on": true, "true": true, "no": false, "n": false, "off": false, "false": false]
    }
}

extension ValueFormat where Value == String {
    public static var text: ValueFormat {
        ValueFormat(
            "a text", shape: { .text },
            read: { node, faults in node.scalar("a text", &faults)?.text },
            write: { Node(.scalar($0, quoted: true)) })
    }

    /// A text with at least one visible character, for names.
    public static var visibleText: ValueFormat {
        ValueFormat(
            "a text", shape: { .text },
            read: { node, faults in
                guard let text = text.read(node, &faults) else { return nil }
                if !text.allSatisfy(\.isWhitespace) { return text }
                faults.note(node.fault(.wrongForm, "the name is empty", label: "expected a text"))
                return nil
            },
            write: text.write)
    }
}

extension ValueFormat where Value: Hashable {
    /// One of a fixed list of words.
    /// - Parameter noun: Stands for the words in a message if there are more than a reader wants to see.
    public static func word(_ words: [(String, Value)], noun: String = "one of these words") -> ValueFormat {
        word(noun: noun) { words }
    }

    /// One of a fixed list of words, which is made only if a setting has this format.
    public static func word(noun: String, of words: @escaping @Sendable () -> [(String, Value)]) -> ValueFormat {
        @Sendable func expected() -> String {
            let names = words().map(\.0)
            if names.count > 40 { return noun }
            return names.count == 1
                ? "`\(names[0])`" : names.dropLast().joined(separator: ", ") + " or " + names.last!
        }
        return ValueFormat(
            expected(), shape: { .word(words().map { Shape.Keyword(name: $0.0, about: "") }) },
            read: { node, faults in
                guard let (text, _) = node.scalar(expected(), &faults) else { return nil }
                let words = words()
                if let match = words.first(where: { $0.0 == text }) { return match.1 }
                let near = suggestion(for: text, among: words.map(\.0))
                var fault = node.fault(
                    .unknownWord, "unknown word \(quote(text))",
                    label: near.map { "did you mean `\($0)`?" } ?? "expected \(expected())",
                    help: near == nil ? "" : "expected \(expected())")
                fault.replacement = near
                faults.note(fault)
                return nil
            },
            write: { value in .text(words().first { $0.1 == value }?.0 ?? "") })
    }
}

/// The usual kinds of settings of strategies.
extension SettingsReader {
    public mutating func span(
        _ key: String, default fallback: TimeSpan, in range: ClosedRange<TimeSpan> = .zero ... .longest,
        _ help: String = ""
    ) -> TimeSpan { value(key, .span(in: range), default: fallback, help) }

    public mutating func span(
        _ key: String, in range: ClosedRange<TimeSpan> = .zero ... .longest, _ help: String = ""
    ) -> TimeSpan? { value(key, .span(in: range), help) }

    /// A size in bytes.
    public mutating func size(
        _ key: String, default fallback: Int64, in range: ClosedRange<Int64> = 0 ... .max, _ help: String = ""
    ) -> Int64 { value(key, .quantity(.size, in: range), default: fallback, help) }

    public mutating func size(
        _ key: String, in range: ClosedRange<Int64> = 0 ... .max, _ help: String = ""
    ) -> Int64? { value(key, .quantity(.size, in: range), help) }

    public mutating func count(
        _ key: String, default fallback: Int64, in range: ClosedRange<Int64> = 0 ... .max, _ help: String = ""
    ) -> Int64 { value(key, .count(in: range), default: fallback, help) }

    public mutating func count(
        _ key: String, in range: ClosedRange<Int64> = 0 ... .max, _ help: String = ""
    ) -> Int64? { value(key, .count(in: range), help) }

    public mutating func probability(_ key: String, default fallback: Probability, _ help: String = "") -> Probability {
        value(key, .probability, default: fallback, help)
    }

    public mutating func probability(_ key: String, _ help: String = "") -> Probability? {
        value(key, .probability, help)
    }

    /// A share in parts per million.
    public mutating func ratio(
        _ key: String, default fallback: Int64, in range: ClosedRange<Int64> = 0...1_000_000, _ help: String = ""
    ) -> Int64 { value(key, .ratio(in: range), default: fallback, help) }

    public mutating func ratio(
        _ key: String, in range: ClosedRange<Int64> = 0...1_000_000, _ help: String = ""
    ) -> Int64? { value(key, .ratio(in: range), help) }

    /// A rate in bits per second.
    package mutating func rate(
        _ key: String, in range: ClosedRange<Int64> = 1 ... .max, _ help: String = ""
    ) -> Int64? { value(key, .quantity(.rate, in: range), help) }

    public mutating func flag(_ key: String, default fallback: Bool, _ help: String = "") -> Bool {
        value(key, .flag, default: fallback, help)
    }

    public mutating func flag(_ key: String, _ help: String = "") -> Bool? { value(key, .flag, help) }

    public mutating func word<Value: Hashable & Sendable>(
        _ key: String, of words: [(String, Value)], default fallback: Value, _ help: String = ""
    ) -> Value { value(key, .word(words), default: fallback, help) }

    public mutating func word<Value: Hashable & Sendable>(
        _ key: String, of words: [(String, Value)], _ help: String = ""
    ) -> Value? { value(key, .word(words), help) }

    public mutating func text(_ key: String, default fallback: String, _ help: String = "") -> String {
        value(key, .text, default: fallback, help)
    }

    public mutating func text(_ key: String, _ help: String = "") -> String? { value(key, .text, help) }
}
