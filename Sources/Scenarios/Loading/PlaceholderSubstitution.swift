import DeadzoneBase

/// Replaces placeholders such as `${name}` in a scenario file by the values of matrix axes. Values may contain
/// placeholders of later axes, so the text can grow exponentially. A budget bounds the total size of all cells.
struct PlaceholderSubstitution {
    /// Budget in bytes of text. A node counts as 16 bytes.
    static let budget = 32 << 20

    private var spent = 0
    var isExhausted: Bool { spent > Self.budget }

    /// Substitutes one axis. Nodes keep the position of the placeholder, because the user looks there. A setting or an item
    /// is left out if the axis has no value (`~`) for it.
    mutating func substituted(_ node: Node, _ axis: String, _ value: Node) -> Node {
        changed(node, axis, value) ?? node
    }

    /// The node after the substitution. `nil` if it does not change: the cells then share it.
    private mutating func changed(_ node: Node, _ axis: String, _ value: Node) -> Node? {
        guard spend(16) else { return nil }
        var own = node
        switch node.content {
        case .scalar(let text, let quoted):
            guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
            let whole = wholeValue(by: text, axis, value)
            guard whole != nil || text.holds("${" + axis), spend(text.utf8.count) else { return nil }
            if let whole { return spend(weight(of: whole)) ? whole : nil }
            own.content = .scalar(replaced(text, axis, value), quoted: quoted)
        case .list(var items):
            var isSame = true
            for index in items.indices.reversed() {
                guard let new = changed(items[index], axis, value) else { continue }
                isSame = false
                if new.isEmpty && !items[index].isEmpty { items.remove(at: index) } else { items[index] = new }
            }
            if isSame { return nil }
            own.content = .list(items)
        case .map(var entries):
            var isSame = true
            for index in entries.indices.reversed() {
                guard let new = changed(entries[index].value, axis, value) else { continue }
                isSame = false
                if new.isEmpty && !entries[index].value.isEmpty {
                    entries.remove(at: index)
                } else {
                    entries[index].value = new
                }
            }
            if isSame { return nil }
            own.content = .map(entries)
        }
        return own
    }

    mutating func spend(_ cost: Int) -> Bool {
        if !isExhausted { spent += cost }
        return !isExhausted
    }

    func weight(of node: Node) -> Int {
        switch node.content {
        case .scalar(let text, _): 16 + text.utf8.count
        case .list(let items): items.reduce(16) { $0 + weight(of: $1) }
        case .map(let entries): entries.reduce(16) { $0 + weight(of: $1.value) }
        }
    }

    /// The value of the axis if the placeholder is the entire text, otherwise `nil`.
    private func wholeValue(by text: String, _ axis: String, _ value: Node) -> Node? {
        if text == "${\(axis)}" { return value }
        for entry in value.entries ?? [] where text == "${\(axis).\(entry.key)}" { return entry.value }
        return nil
    }

    private mutating func replaced(_ text: String, _ axis: String, _ value: Node) -> String {
        var result = text
        var named = [("${\(axis)}", value)]
        named += (value.entries ?? []).map { ("${\(axis).\($0.key)}", $0.value) }
        for (holder, value) in named {
            guard let scalar = value.scalar else { continue }
            let pieces = result.split(separator: holder, omittingEmptySubsequences: false)
            guard pieces.count > 1, spend((pieces.count - 1) * scalar.utf8.count) else { continue }
            result = pieces.joined(separator: scalar)
        }
        return result
    }
}

extension String {
    /// `true` if the text contains a placeholder or its beginning. Most texts have no dollar sign, and a search for a
    /// longer string takes a thousand times as long.
    func holds(_ placeholder: String) -> Bool { utf8.contains(UInt8(ascii: "$")) && contains(placeholder) }
}
