import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    /// `backoff: {base: 500ms, multiplier: 2, cap: 32s, jitter: full}`
    public mutating func backoff(_ key: String, default fallback: Backoff, _ help: String = "") -> Backoff {
        group(key, help) { $0.backoffLaw(default: fallback) }
    }

    /// The same, among other settings of one map. What has no part in a law is neither read nor filled in.
    mutating func backoffLaw(default fallback: Backoff) -> Backoff {
        let waits = list(
            "table", of: .wait, counts: 1...Backoff.Waits.capacity,
            "the waits themselves, one after the other, the last again and again; in place of base, growth and cap")
        let jitter = value(
            "jitter", .jitter, default: has("table") ? .none : fallback.jitter,
            "full: from 0 to the wait; equal: its upper half; 20%: so much more or less; {plus: [300ms, 3s]}; {times: [0.8, 1]}; {parity: 50%}; {per-process: [0s, 4s]} adds to the base, drawn once"
        )
        let firstJitter = value("first-jitter", .jitter, "of the first wait, where it is another one")
        checkJitter(jitter, firstJitter)
        let plus = value("plus", .wait, default: fallback.plus, "added to every wait, whatever jitter leaves of it")
        var law = fallback
        if has("table") {
            refuse(
                ["base", "multiplier", "step", "cap", "first", "capped"], beside: "table", "the table has all waits")
            law = Backoff(table: Backoff.Waits(waits.flatMap { $0.isEmpty ? nil : $0 } ?? [.zero]))
        }
        if isDescribing || !has("table") { law = grownLaw(law, isDecorrelated: jitter == .decorrelated) }
        law.jitter = jitter
        law.firstJitter = firstJitter
        law.plus = plus
        return law
    }

    private mutating func grownLaw(_ fallback: Backoff, isDecorrelated: Bool) -> Backoff {
        var law = fallback
        law.base = value("base", .wait, default: fallback.base, "the wait after the first failure")
        // Who asks for a longer base means it.
        law.cap = value("cap", .wait, default: max(fallback.cap, law.base), "no wait is longer, before jitter")
        law.first = value("first", .wait, "the wait after the first failure, by itself without jitter; `base` follows")
        if isDecorrelated {
            refuse(
                ["multiplier", "step", "capped"], beside: "jitter: decorrelated",
                "it grows from the wait before, up to the cap")
            return law
        }
        law.capped = word(
            "capped",
            of: [("before-jitter", Backoff.Capped.beforeJitter), ("after-jitter", .afterJitter), ("both", .both)],
            default: fallback.capped, "where the cap is applied: before jitter, which may pass it, or after it")
        if let step = value("step", .wait, "each failure in a row adds this, instead of multiplying") {
            law.growth = .step(step)
            refuse(["multiplier"], beside: "step", "a wait grows by one of them")
        }
        guard isDescribing || !has("step") else { return law }
        var usual: Int64 = 2_000_000
        if case .times(let multiplier) = fallback.growth { usual = multiplier }
        law.growth = .times(
            value(
                "multiplier", .decimal(in: 1_000_000...1_000_000_000), default: usual,
                "each failure in a row multiplies the wait by this"))
        return law
    }

    private mutating func checkJitter(_ jitter: Backoff.Jitter, _ first: Backoff.Jitter?) {
        switch jitter {
        case .decorrelated where has("table"), .perProcess where has("table"):
            contradict("table", "`table` beside a jitter that goes by the base", "the table has no base")
        default: break
        }
        switch first {
        case .decorrelated, .perProcess: contradict("first-jitter", "not a jitter of one wait", "belongs to `jitter`")
        default: break
        }
    }

    /// Keys that mean nothing beside another.
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

extension Form where Value == TimeSpan {
    /// None at all, or one that a clock of milliseconds can tell: what lies between is repeated a million times and more in a
    /// second without a network.
    static var wait: Form {
        let least = TimeSpan.milliseconds(1)
        let span = span()
        return Form(
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

extension Form where Value == Backoff.Jitter {
    private static var words: Form {
        .word([("none", .none), ("full", .full), ("equal", .equal), ("decorrelated", .decorrelated)])
    }
    private static var share: Form<Int64> { .ratio(in: 0...1_000_000) }
    private static var factor: Form<Int64> { .decimal(in: 0...1_000_000_000) }
    private static var span: Form<TimeSpan> { .wait }

    /// A word, a share such as `20%`, or a map that names one law.
    static var jitter: Form {
        Form(
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
                Field(key: "plus", help: "adds anything between these", shape: pair(span.shape())),
                Field(key: "times", help: "multiplies by anything between these", shape: pair(factor.shape())),
                Field(
                    key: "parity", help: "size and sign from one draw, as socket.io has it", shape: share.shape()),
                Field(
                    key: "per-process", help: "adds anything between these to the base, drawn once",
                    shape: pair(span.shape())),
            ]))
    }

    private static func readMap(_ node: Node, _ faults: inout Faults) -> Backoff.Jitter? {
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
        _ node: Node, _ form: Form<Part>, _ faults: inout Faults
    ) -> (Part, Part)? {
        guard let items = node.items, items.count == 2 else {
            faults.note(node.fault(.wrongForm, "not a pair", label: "expected [from, to]"))
            return nil
        }
        guard let low = form.read(items[0], &faults), let high = form.read(items[1], &faults) else { return nil }
        guard low <= high else {
            faults.note(node.fault(.outOfRange, "the first is the larger", label: "expected [from, to]"))
            return nil
        }
        return (low, high)
    }

    private static func write(_ jitter: Backoff.Jitter) -> Node {
        func map(_ key: String, _ value: Node) -> Node { .map([Node.Entry(key: key, value: value)]) }
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
