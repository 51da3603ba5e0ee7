import DeadzoneBase
import DeadzoneScenarios
import Testing

/// A value in `everyKey`, found by traversing the document and the schema together.
private struct Leaf {
    var path: [Step]
    var shape: Shape
    var isNumeric: Bool

    enum Step: Hashable {
        case key(String)
        case item(Int)
    }
}

/// `everyKey` as a tree, so that values in it can be replaced.
private let document = compose(Array(everyKey.utf8)).node!

private let leaves: [Leaf] = {
    var found: [Leaf] = []
    walk(document, scenarioShape(testVocabulary), [], &found)
    return found
}()

private func walk(_ node: Node, _ shape: Shape, _ path: [Leaf.Step], _ found: inout [Leaf]) {
    switch (shape, node.content) {
    case (.map(let map), .map(let entries)):
        for entry in entries where !entry.key.hasPrefix("x-") {
            let variant = map.variants.flatMap { variants in
                variants.cases.first { $0.name == (node["strategy"] ?? node["preset"])?.scalar }
            }
            let fields = map.fields + (variant?.fields ?? [])
            guard let inner = fields.first(where: { $0.key == entry.key })?.shape ?? map.userKeyShape else { continue }
            found.append(Leaf(path: path + [.key(entry.key)], shape: inner, isNumeric: inner.isNumeric))
            walk(entry.value, inner, path + [.key(entry.key)], &found)
        }
    case (.list(let item, _), .list(let items)):
        for (index, node) in items.enumerated() {
            found.append(Leaf(path: path + [.item(index)], shape: item, isNumeric: item.isNumeric))
            walk(node, item, path + [.item(index)], &found)
        }
    case (.varying(_, let laws), .map): for law in laws where law.holds(node) { walk(node, law, path, &found) }
    case (.either(let shapes), _): for shape in shapes where shape.holds(node) { walk(node, shape, path, &found) }
    default: break
    }
}

extension Shape {
    fileprivate var isNumeric: Bool {
        switch self {
        case .quantity, .integer, .decimal, .fraction, .varying: true
        case .either(let shapes): shapes.allSatisfy { $0.isNumeric }
        default: false
        }
    }

    /// `true` if the map's schema has all keys of the node.
    fileprivate func holds(_ node: Node) -> Bool {
        guard case .map(let map) = self, let entries = node.entries else { return false }
        return map.userKeyShape != nil || entries.allSatisfy { entry in map.fields.contains { $0.key == entry.key } }
    }
}

extension Node {
    /// The tree with another value at `path`; `nil` removes the value there.
    fileprivate func with(_ value: Node?, at path: ArraySlice<Leaf.Step>) -> Node {
        guard let step = path.first else { return value! }
        let isLast = path.count == 1
        switch (step, content) {
        case (.key(let key), .map(var entries)):
            let place = entries.firstIndex { $0.key == key }!
            if isLast && value == nil {
                entries.remove(at: place)
            } else {
                entries[place].value = entries[place].value.with(value, at: path.dropFirst())
            }
            return Node(.map(entries))
        case (.item(let index), .list(var items)):
            if isLast && value == nil {
                items.remove(at: index)
            } else {
                items[index] = items[index].with(value, at: path.dropFirst())
            }
            return Node(.list(items))
        default: preconditionFailure("\(path) leads nowhere")
        }
    }

    fileprivate func node(at path: [Leaf.Step]) -> Node? {
        path.reduce(self as Node?) { node, step in
            switch step {
            case .key(let key): node?[key]
            case .item(let index): node?.items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }
}

@Test func theTraversalReachesEveryKindOfValue() {
    // Broken if the generated tests below silently test nothing.
    #expect(leaves.count > 110)
    #expect(leaves.filter(\.isNumeric).count > 55)
    #expect(faultTexts(load(blockText(document))) == "")
}

/// Invalid numbers, as they would be written in a file.
private let noNumbers = [
    "NaN", ".nan", ".inf", "-.inf", "Infinity", "1e400", "1e400s", "-1", "-1s", "-5%", "9223372036854775808",
    "9223372036854775808s", "99999999999999999999999999999999999999999", "1e-400", "0x10", "010", "1:30", "true", "yes",
    "~", "\"\"", "1_000", "1.2.3", "1.", ".5", "+", "\"-\"", "s", "\"%\"", "1s1s", "1e", "--1", "1h-1s", "½", "１",
]

@Test(arguments: noNumbers)
func numberFieldsRejectInvalidNumbers(_ hostile: String) throws {
    // Broken if an invalid number is accepted, traps, or is reported at another place.
    for leaf in leaves where leaf.isNumeric {
        let text = render(document.with(Node(.scalar("@@", quoted: true)), at: leaf.path[...]))
            .replacing("\"@@\"", with: hostile)
        let loaded = load(text)
        let place = try #require(compose(Array(text.utf8)).node?.node(at: leaf.path)?.mark, "\(leaf.path)")
        #expect(
            loaded.faults.sorted.contains { $0.mark == place },
            "\(hostile) at \(leaf.path) line \(place.line): \(faultTexts(loaded))")
    }
}

@Test func everyFieldRejectsWrongTypes() throws {
    // Broken if a list, map, word or empty value of the wrong type is accepted, traps, or is reported elsewhere.
    let wrong: [Node] = [
        .list([]), .list([.text("1s"), .text("1s"), .text("1s")]), .map([]),
        .map([.init(key: "zz", value: .text("1"))]),
        Node(.scalar("", quoted: false)), Node(.scalar("@wrong@", quoted: true)),
    ]
    var refused = 0
    for leaf in leaves {
        for value in wrong {
            let text = render(document.with(value, at: leaf.path[...]))
            let loaded = load(text)
            if loaded.faults.isEmpty { continue }
            refused += 1
            let place = try #require(compose(Array(text.utf8)).node?.node(at: leaf.path)?.mark, "\(leaf.path)")
            let lines = loaded.faults.sorted.map(\.mark.line)
            #expect(
                lines.contains(place.line) || lines.contains { $0 > place.line },
                "\(flowText(value)) at \(leaf.path): \(faultTexts(loaded))")
        }
    }
    #expect(refused > leaves.count * 4)
}

@Test func everyFieldIsOptionalOrReportedIfMissing() {
    // Broken if leaving a key out traps, or if the fault about it has no message or position.
    var missed = 0
    for leaf in leaves {
        let loaded = load(render(document.with(nil, at: leaf.path[...])))
        if loaded.faults.isEmpty {
            #expect(loaded.scenarios.count == 1)
        } else {
            missed += 1
            #expect(loaded.faults.sorted.allSatisfy { !$0.message.isEmpty && $0.mark.line > 0 })
        }
    }
    #expect(missed > 20)
}

@Test func duplicateKeysAreReportedWithBothLines() throws {
    // Broken if the second of two equal keys silently wins.
    for leaf in leaves {
        guard case .key(let key)? = leaf.path.last else { continue }
        let parent = document.node(at: Array(leaf.path.dropLast()))!
        let entry = parent.entries!.first { $0.key == key }!
        let doubled = Node(.map(parent.entries! + [entry]))
        let whole = leaf.path.count == 1 ? doubled : document.with(doubled, at: leaf.path.dropLast()[...])
        let faults = load(render(whole)).faults.sorted
        let fault = try #require(faults.first { $0.code == .duplicateKey }, "\(leaf.path)")
        #expect(fault.message.contains("`\(key)`") && fault.label.hasPrefix("first at line "))
    }
}

/// The tree as text, one key to a line.
private func render(_ node: Node) -> String { blockText(node) }
