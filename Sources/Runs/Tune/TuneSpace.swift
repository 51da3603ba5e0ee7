import DeadzoneBase
import DeadzoneScenarios

/// The settings that `tune` varies, and the values that it may try.
struct TuneSpace: Sendable {
    let settings: [VariedSetting]

    var dimensions: [SearchDimension] { settings.map(\.dimension) }

    /// The values at a position of the search; `nil` for a setting that keeps its present value.
    func values(at position: [Double]) -> [String?] {
        zip(settings, position).map { $0.value(at: $1) }
    }

    /// The changes that values make.
    func changes(_ values: [String?]) -> [(path: [String], value: String)] {
        zip(settings, values).compactMap { setting, value in value.map { (setting.path, $0) } }
    }

    /// - Parameter requests: the texts of `--vary`; empty varies every number of the strategy.
    init(_ strategy: TunableStrategy, varying requests: [String]) throws(ToolFault) {
        var settings: [VariedSetting] = []
        let builder = TuneSpaceBuilder(strategy: strategy)
        if requests.isEmpty {
            settings = strategy.plainValues.compactMap { builder.decade(around: $0.path, $0.value) }
            guard !settings.isEmpty else {
                throw ToolFault(
                    .badFlagValue, "strategy \(quote(strategy.name)) has no number that could be varied",
                    help: ["name its settings: --vary SETTING=VALUE,VALUE"])
            }
        }
        for request in requests {
            let setting = try builder.setting(request)
            if settings.contains(where: { $0.path == setting.path }) {
                throw ToolFault(
                    .conflict, "`--vary` names \(quote(setting.name)) twice", help: ["name each setting once"])
            }
            settings.append(setting)
        }
        self.settings = settings
    }

    /// The settings of a strategy that take one of several words and that this space does not vary: the present ones,
    /// and those of the first level that are absent, such as `resume`. Promises of the client are omitted, because they
    /// change no behaviour.
    func unvariedSwitches(of strategy: TunableStrategy) -> [String] {
        let builder = TuneSpaceBuilder(strategy: strategy)
        let paths = Set(strategy.plainValues.map(\.path) + strategy.keys.map { [$0] })
        return paths.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { path in
            guard let key = path.first, !["strategy", "preset", "claims"].contains(key),
                !settings.contains(where: { path.starts(with: $0.path) }),
                let setting = try? builder.setting(path.joined(separator: ".")), case .words = setting.values
            else { return nil }
            return setting.name
        }
    }
}

/// Reads the texts of `--vary`, and finds the ranges of settings that are varied without one.
struct TuneSpaceBuilder {
    let strategy: TunableStrategy

    /// A longer duration stands for "never", so a tenth of it means nothing.
    private static let longestSpan: Int64 = 30 * 86_400 * 1_000_000_000

    /// One setting: `keepalive.interval=20s..30m`, `backoff.jitter=none,full`, or a name alone.
    func setting(_ request: String) throws(ToolFault) -> VariedSetting {
        let parts = request.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = try path(parts[0], request)
        try checkPlace(of: path)
        if let present = strategy.present(path), present.isMap {
            let inner = strategy.plainValues.filter { $0.path.starts(with: path) }.prefix(8)
            throw ToolFault(
                .badFlagValue, "`--vary`: \(quote(path.joined(separator: "."))) is not one setting, but a map",
                help: ["vary one of its settings"]
                    + inner.map {
                        "--vary \(visible($0.path.joined(separator: ".")))  (now \(visible($0.value, atMost: 40)))"
                    })
        }
        guard parts.count == 2 else { return try unbounded(path, request) }
        let ends = parts[1].split(separator: "..", omittingEmptySubsequences: false).map(String.init)
        if ends.count == 2, !ends[0].isEmpty, !ends[1].isEmpty { return try range(path, ends[0], ends[1], request) }
        let words = Self.list(parts[1])
        guard words.count > 1, !words.contains("") else {
            throw ToolFault(
                .badFlagValue, "`--vary` cannot be \(quote(request))",
                help: ["write a range, SETTING=20s..30m, or several values, SETTING=none,full"])
        }
        return try choices(path, words, request)
    }

    /// A setting that stands alone, but belongs into a map of the strategy, is refused with its path.
    private func checkPlace(of path: [String]) throws(ToolFault) {
        guard path.count == 1, !strategy.keys.contains(path[0]) else { return }
        let places = strategy.plainValues.map(\.path).filter { $0.count > 1 && $0.last == path[0] }
        guard !places.isEmpty else { return }
        throw ToolFault(
            .badFlagValue, "`--vary`: unknown setting \(quote(path[0]))",
            help: places.prefix(3).map { "did you mean \(quote($0.joined(separator: ".")))?" })
    }

    /// Returns a path below the strategy. The text may also be a path from the top of the scenario.
    private func path(_ text: String, _ request: String) throws(ToolFault) -> [String] {
        var path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if path.starts(with: ["strategies", strategy.name]) { path.removeFirst(2) }
        guard !path.isEmpty, !path.contains("") else {
            throw ToolFault(
                .badFlagValue, "`--vary` cannot be \(quote(request))",
                help: ["write the path of a setting below the strategy, such as keepalive.interval=20s..30m"])
        }
        return path
    }

    /// Splits at the commas outside of brackets, so that `none,{plus: [0s, 3s]}` is two values.
    private static func list(_ text: String) -> [String] {
        var (words, depth) = ([""], 0)
        for character in text {
            if "[{(".contains(character) { depth += 1 }
            if "]})".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { words.append("") } else { words[words.count - 1].append(character) }
        }
        return words
    }

    private func choices(_ path: [String], _ words: [String], _ request: String) throws(ToolFault) -> VariedSetting {
        for word in words { try check(path, word, request) }
        return VariedSetting(path: path, present: strategy.present(path)?.text, values: .words(words))
    }

    private func range(_ path: [String], _ low: String, _ high: String, _ request: String) throws(ToolFault)
        -> VariedSetting
    {
        for end in [low, high] { try check(path, end, request) }
        guard let setting = numbers(path, low, high) else {
            throw ToolFault(
                .badFlagValue, "`--vary`: \(quote(low)) to \(quote(high)) is not a range",
                help: [
                    "two values with the same unit, the lower first: \(visible(path.joined(separator: ".")))=20s..30m"
                ])
        }
        return setting
    }

    private func numbers(_ path: [String], _ low: String, _ high: String) -> VariedSetting? {
        guard let notation = NumberNotation(of: high, accepting: strategy.shapes(of: path)),
            let least = notation.number(of: low), let greatest = notation.number(of: high),
            let range = ValueRange(
                from: notation.rangeText(of: least), to: notation.rangeText(of: greatest), isLog: least > 0)
        else { return nil }
        return VariedSetting(
            path: path, present: strategy.present(path)?.text,
            values: .numbers(range, notation, from: least, to: greatest))
    }

    /// A setting without values: all its words, or a decade around its number.
    private func unbounded(_ path: [String], _ request: String) throws(ToolFault) -> VariedSetting {
        let shapes = strategy.shapes(of: path)
        let words = shapes.flatMap { shape -> [String] in
            switch shape {
            case .word(let words): words.map(\.name)
            case .boolean: ["true", "false"]
            default: []
            }
        }
        let present = strategy.present(path)?.text
        if let present, let setting = decade(around: path, present, isRequested: true) { return setting }
        let valid = words.filter { fault(path, $0) == nil }
        if valid.count > 1 { return VariedSetting(path: path, present: present, values: .words(valid)) }
        // A wrong name gets the message of the reader, with its suggestion.
        try check(path, present ?? "1s", request)
        throw ToolFault(
            .badFlagValue, "`--vary`: the values of \(quote(path.joined(separator: "."))) are missing",
            help: ["write a range, SETTING=20s..30m, or several values, SETTING=none,full"])
    }

    /// A decade below and above the present number. `nil` for a value that is no number, for zero, and for a duration
    /// that stands for "never". Sizes belong to the protocol, so they are varied only on request.
    func decade(around path: [String], _ present: String, isRequested: Bool = false) -> VariedSetting? {
        guard let notation = NumberNotation(of: present, accepting: strategy.shapes(of: path)),
            let number = notation.number(of: present), number > 0, number <= .max / 10,
            isRequested || !notation.isOtherQuantity, !notation.isSpan || number <= Self.longestSpan
        else { return nil }
        let low = allowed(path, from: number, towards: max(1, number / 10), notation)
        let high = allowed(path, from: number, towards: number * 10, notation)
        guard low < high else { return nil }
        return numbers(path, notation.text(of: low), notation.text(of: high))
    }

    /// The end of a range, or the valid value nearest to it, found by bisection from the present value.
    private func allowed(_ path: [String], from present: Int64, towards end: Int64, _ notation: NumberNotation) -> Int64
    {
        func isAllowed(_ number: Int64) -> Bool { fault(path, notation.text(of: number)) == nil }
        if isAllowed(end) { return end }
        var (good, bad) = (present, end)
        while (good - bad).magnitude > 1 {
            let middle = good + (bad - good) / 2
            if isAllowed(middle) { good = middle } else { bad = middle }
        }
        return good
    }

    private func check(_ path: [String], _ value: String, _ request: String) throws(ToolFault) {
        guard let fault = fault(path, value) else { return }
        throw ToolFault(
            .badFlagValue, "`--vary \(visible(request, atMost: 120))`: \(fault.message)",
            help: [fault.advice].filter { !$0.isEmpty })
    }

    /// The fault of a value on its own. A contradiction with another setting is none: the search may vary both, and
    /// draws refused points again.
    private func fault(_ path: [String], _ value: String) -> Fault? {
        strategy.faults([(path, value)]).sorted.first { $0.code != .contradiction }
    }
}
