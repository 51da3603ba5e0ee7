public import DeadzoneBase

extension SettingsReader {
    /// Reads a backoff (the rule for waits between attempts), written as `backoff: {base: 500ms, multiplier: 2, cap:
    /// 32s, jitter: full}`.
    public mutating func backoff(_ key: String, default fallback: Backoff, _ help: String = "") -> Backoff {
        group(key, help, main: "base") { $0.backoffFields(default: fallback) }
    }

    /// Reads the settings of a backoff from the map that is being read. Keys that the chosen variant does not use are
    /// neither read nor filled in.
    mutating func backoffFields(default fallback: Backoff) -> Backoff {
        let waits = list(
            "table", of: .wait, counts: 1...Backoff.WaitTable.capacity,
            "list of waits in order; the last one repeats; replaces `base`, `multiplier`, `step`, `first` and `cap`")
        let jitter = value(
            "jitter", .jitter, default: has("table") ? .none : fallback.jitter,
            "full: from 0 to the wait; equal: upper half of the wait; 20%: the wait plus or minus 20%; {plus: [300ms, 3s]}; {times: [0.8, 1]}; {parity: 50%}; {per-process: [0s, 4s]}: added to the base, drawn once per process"
        )
        let firstJitter = value("first-jitter", .jitter, "jitter of the first wait, if it differs")
        checkJitter(jitter, firstJitter)
        let plus = value("plus", .wait, default: fallback.plus, "added to every wait, after jitter")
        var backoff = fallback
        if has("table") {
            refuse(
                ["base", "multiplier", "step", "cap", "first", "capped"], beside: "table", "the table replaces it")
            backoff = Backoff(table: Backoff.WaitTable(waits.flatMap { $0.isEmpty ? nil : $0 } ?? [.zero]))
        }
        if isDescribing || !has("table") { backoff = growthFields(backoff, isDecorrelated: jitter == .decorrelated) }
        backoff.jitter = jitter
        backoff.firstJitter = firstJitter
        backoff.plus = plus
        return backoff
    }

    private mutating func growthFields(_ fallback: Backoff, isDecorrelated: Bool) -> Backoff {
        var backoff = fallback
        backoff.base = value("base", .wait, default: fallback.base, "wait after the first failure")
        // A base that is longer than the default cap is intended, so it raises the cap.
        backoff.cap = value("cap", .wait, default: max(fallback.cap, backoff.base), "longest wait, before jitter")
        backoff.first = value(
            "first", .wait, "wait after the first failure, without jitter; the second failure waits for `base`")
        if isDecorrelated {
            refuse(
                ["multiplier", "step", "capped"], beside: "jitter: decorrelated",
                "each wait grows from the previous one, up to the cap")
            return backoff
        }
        backoff.capPlacement = word(
            "capped",
            of: [
                ("before-jitter", Backoff.CapPlacement.beforeJitter), ("after-jitter", .afterJitter), ("both", .both),
            ],
            default: fallback.capPlacement, "cap on the wait: before jitter, which may exceed it, after jitter, or both"
        )
        if let step = value("step", .wait, "added to the wait for each failure in a row, instead of multiplying") {
            backoff.growth = .step(step)
            refuse(["multiplier"], beside: "step", "a wait grows by a step or by a factor, not both")
        }
        guard isDescribing || !has("step") else { return backoff }
        var usual: Int64 = 2_000_000
        if case .times(let multiplier) = fallback.growth { usual = multiplier }
        backoff.growth = .times(
            value(
                "multiplier", .decimal(in: 1_000_000...1_000_000_000), default: usual,
                "factor of the wait for each failure in a row"))
        return backoff
    }

    private mutating func checkJitter(_ jitter: Backoff.JitterRule, _ first: Backoff.JitterRule?) {
        switch jitter {
        case .decorrelated where has("table"), .perProcess where has("table"):
            contradict("table", "`table` beside a jitter that uses the base", "the table has no base")
        default: break
        }
        switch first {
        case .decorrelated, .perProcess:
            contradict("first-jitter", "not a jitter of one wait", "write it under `jitter`")
        default: break
        }
    }

    /// Reports a fault for each of these keys, because it has no meaning beside the key `other`.
    private mutating func refuse(_ keys: [String], beside other: String, _ label: String) {
        for key in keys where has(key) && !isDescribing {
            _ = custom(key) { .anything }
            contradict(key, "`\(key)` beside `\(other)`", label)
        }
    }

    private mutating func contradict(_ key: String, _ message: String, _ label: String) {
        note(Fault(.contradiction, at: mark(of: key), width: key.utf8.count, message, label: label))
    }
}

extension ValueFormat where Value == TimeSpan {
    /// Format of a wait: zero, or at least 1 ms, the resolution of a millisecond clock. Without a network, a wait in
    /// between would cause a million and more attempts per second.
    static var wait: ValueFormat {
        let least = TimeSpan.milliseconds(1)
        let span = span()
        return ValueFormat(
            span.expected, shape: span.shape,
            read: { node, faults in
                guard let wait = span.read(node, &faults) else { return nil }
                if wait == .zero || least <= wait { return wait }
                faults.note(
                    node.fault(
                        .outOfRange, "\(quote(node.scalar ?? "")) is too short a wait",
                        label: "must be 0s or at least 1ms"))
                return nil
            }, write: span.write)
    }
}

extension ValueFormat where Value == Backoff.JitterRule {
    private static var words: ValueFormat {
        .word([("none", .none), ("full", .full), ("equal", .equal), ("decorrelated", .decorrelated)])
    }
    private static var share: ValueFormat<Int64> { .ratio(in: 0...1_000_000) }
    private static var factor: ValueFormat<Int64> { .decimal(in: 0...1_000_000_000) }
    private static var span: ValueFormat<TimeSpan> { .wait }

    /// Format of a jitter rule: a word, a share such as `20%`, or a map with one rule.
    static var jitter: ValueFormat {
        ValueFormat(
            "none, full, equal, decorrelated, a share such as 20%, or a map such as {times: [0.8, 1]}",
            shape: { .either([words.shape(), share.shape(), map]) },
            read: { node, faults in
                if node.entries != nil { return readMap(node, &faults) }
                let isNumber = node.scalar?.utf8.first.map { 48...57 ~= $0 } ?? false
                guard isNumber else { return words.read(node, &faults) }
                return share.read(node, &faults).map { .spread($0) }
            },
            write: write)
    }

    private static var map: Shape {
        func pair(_ shape: Shape) -> Shape { .list(shape, counts: 2...2) }
        return .map(
            MapShape(fields: [
                Field(key: "plus", help: "adds a random span between these", shape: pair(span.shape())),
                Field(key: "times", help: "multiplies by a random factor between these", shape: pair(factor.shape())),
                Field(
                    key: "parity", help: "size and sign from one random number, as in socket.io", shape: share.shape()),
                Field(
                    key: "per-process", help: "adds a random span between these to the base, drawn once per process",
                    shape: pair(span.shape())),
            ]))
    }

    private static func readMap(_ node: Node, _ faults: inout Faults) -> Backoff.JitterRule? {
        let names = ["plus", "times", "parity", "per-process"]
        let entries = (node.entries ?? []).filter { !$0.key.hasPrefix("x-") }
        guard let entry = entries.first, entries.count == 1 else {
            let message = entries.isEmpty ? "an empty map" : "\(entries.count) laws where one is expected"
            faults.note(node.fault(.wrongForm, message, label: "expected one of \(names.joined(separator: ", "))"))
            return nil
        }
        switch entry.key {
        case "plus": return pair(entry.value, span, &faults).map { .plus($0, $1) }
        case "times": return pair(entry.value, factor, &faults).map { .times($0, $1) }
        case "parity": return share.read(entry.value, &faults).map { .parity($0) }
        case "per-process": return pair(entry.value, span, &faults).map { .perProcess($0, $1) }
        default:
            let key = Node(.scalar(entry.key, quoted: false), at: entry.keyMark, width: entry.key.unicodeScalars.count)
            faults.note(key.unknown("law of jitter", entry.key, among: names, .unknownKey))
            return nil
        }
    }

    private static func pair<Part: Comparable>(
        _ node: Node, _ form: ValueFormat<Part>, _ faults: inout Faults
    ) -> (Part, Part)? {
        guard let items = node.items, items.count == 2 else {
            faults.note(node.fault(.wrongForm, "not a pair", label: "expected [from, to]"))
            return nil
        }
        guard let low = form.read(items[0], &faults), let high = form.read(items[1], &faults) else { return nil }
        guard low <= high else {
            faults.note(
                node.fault(.outOfRange, "the first value is larger than the second", label: "expected [from, to]"))
            return nil
        }
        return (low, high)
    }

    private static func write(_ jitter: Backoff.JitterRule) -> Node {
        func map(_ key: String, _ value: Node) -> Node { .map([Node.MapEntry(key: key, value: value)]) }
        switch jitter {
        case .none, .full, .equal, .decorrelated: return words.write(jitter)
        case .spread(let millionths): return share.write(millionths)
        case .plus(let low, let high): return map("plus", .list([span.write(low), span.write(high)]))
        case .times(let low, let high): return map("times", .list([factor.write(low), factor.write(high)]))
        case .parity(let millionths): return map("parity", share.write(millionths))
        case .perProcess(let low, let high): return map("per-process", .list([span.write(low), span.write(high)]))
        }
    }
}
