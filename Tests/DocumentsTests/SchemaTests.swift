import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// The JSON Schemas, with a small validator of the keywords that they use.
struct SchemaTests {
    /// The first place at which a value breaks its schema; `nil` if it follows it.
    private func fault(_ value: JSON, _ schema: JSON, _ place: String = "$") -> String? {
        if let options = schema["anyOf"]?.items {
            let faults = options.map { fault(value, $0, place) }
            return faults.contains(nil) ? nil : faults[0]
        }
        if let words = schema["enum"]?.items, !words.contains(value) { return place }
        if let constant = schema["const"], constant != value { return place }
        if let type = schema["type"], !types(type).contains(where: { isOf($0, value) }) { return place }
        if let least = schema["minimum"]?.double, let number = value.double, number < least { return place }
        if let pattern = schema["pattern"]?.string, let text = value.string,
            (try? Regex(pattern).wholeMatch(in: text)) == nil
        {
            return place
        }
        if case .object(let members) = value { return self.fault(members, schema, place) }
        for (index, item) in (value.items ?? []).enumerated() {
            if let items = schema["items"], let found = fault(item, items, "\(place)[\(index)]") { return found }
        }
        return nil
    }

    private func fault(_ members: [String: JSON], _ schema: JSON, _ place: String) -> String? {
        for key in schema["required"]?.items ?? [] where members[key.string ?? ""] == nil { return place }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let inside = "\(place).\(key)"
            if let own = schema["properties"]?[key] {
                if let found = fault(value, own, inside) { return found }
            } else if let other = schema["additionalProperties"] {
                if other == .bool(false) { return inside }
                if let found = fault(value, other, inside) { return found }
            }
        }
        return nil
    }

    private func types(_ type: JSON) -> [String] {
        type.items?.compactMap(\.string) ?? [type.string].compactMap(\.self)
    }

    private func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("string", .string), ("boolean", .bool), ("null", .null), ("array", .array), ("object", .object),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }

    /// Every document that differs from this one in one member: without it, or with a value of another type, by the
    /// path of the member.
    private func damaged(_ value: JSON, _ path: String = "$") -> [(path: String, value: JSON)] {
        switch value {
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { key, member -> [(path: String, value: JSON)] in
                var without = members
                without[key] = nil
                let missing = [("\(path) without \(key)", JSON.object(without))]
                return missing
                    + damaged(member, "\(path).\(key)").map { part in
                        var edited = members
                        edited[key] = part.value
                        return (part.path, .object(edited))
                    }
            } + [("\(path) is a list", .array([.bool(true)]))]
        case .array(let items):
            guard let first = items.first else { return [("\(path) is a flag", .bool(true))] }
            return damaged(first, "\(path)[]").map { ($0.path, .array([$0.value] + items.dropFirst())) }
        default: return [("\(path) is a list of lists", .array([.array([])]))]
        }
    }

    private func read(_ json: JSON) throws -> JSON { try JSON(text: Array(json.text(.line).utf8)) }

    @Test func comparisonsFollowTheirSchema() throws {
        // Broken: the schema refuses a document that the program writes, or accepts a damaged one.
        let schema = CompareReport.jsonSchema
        var report = try ComparedRuns.report()
        report.scenarios[0].comparisons[0].groups = []
        let document = try read(report.json)
        #expect(fault(document, schema) == nil)
        var pair = try ComparedRuns.pair()
        pair.scenarios[0].comparisons[0].groups = []
        let other = try read(pair.json)
        #expect(fault(other, schema) == nil)
        let undecided = try read(ComparedRuns.fewReplicas().json)
        #expect(fault(undecided, schema) == nil && undecided["verdict"]?.string == "undecided")
        let damages = damaged(document)
        #expect(damages.count > 150)
        let passing = damages.filter { fault($0.value, schema) == nil }.map(\.path)
        expectText(
            passing.joined(separator: "\n"),
            #"""
            $.gates[] without worst
            $.scenarios[].strategies[].metrics without battery.above_idle_joules
            $.scenarios[].strategies[].metrics without battery.joules
            $.scenarios[].strategies[].metrics without battery.promotions
            $.scenarios[].strategies[].metrics without bytes.down
            $.scenarios[].strategies[].metrics without cause.keepalive
            $.scenarios[].strategies[].metrics without delivery.down.lost
            $.scenarios[].strategies[].metrics without delivery.down.sent
            $.scenarios[].strategies[].metrics without keepalive.pings
            $.scenarios[].strategies[].metrics without latency.down.p95
            $.scenarios[].strategies[].metrics without recovery.p95
            $.scenarios[].strategies[].metrics without zombie.max
            """#)
        for (key, value) in [("verdict", "maybe"), ("schema", "deadzone/compare/2")] {
            guard case .object(var members) = document else { return }
            members[key] = .string(value)
            #expect(fault(.object(members), schema) == "$.\(key)")
        }
    }

    @Test func baselinesFollowTheirSchema() throws {
        // Broken: the schema refuses a baseline that the program writes, or accepts a damaged one.
        let schema = Baseline.jsonSchema
        let baseline = Baseline(tool: "1", metrics: ["zombie.max"], runs: [ComparedRuns.run(isNew: true)])
        let document = try JSON(text: Array(baseline.text.utf8))
        #expect(fault(document, schema) == nil)
        let passing = damaged(document).filter { fault($0.value, schema) == nil }.map(\.path)
        expectText(
            passing.joined(separator: "\n"),
            #"""
            $.scenarios without Lift
            $.scenarios.Lift.strategies without naive
            $.scenarios.Lift.strategies.naive without groups
            $.scenarios.Lift.strategies.naive.groups without new
            $.scenarios.Lift.strategies.naive.groups.new without keepalive.pings
            $.scenarios.Lift.strategies.naive.groups without old
            $.scenarios.Lift.strategies.naive.groups.old without zombie.max
            $.scenarios.Lift.strategies.naive.metrics without battery.above_idle_joules
            $.scenarios.Lift.strategies.naive.metrics without battery.joules
            $.scenarios.Lift.strategies.naive.metrics without battery.promotions
            $.scenarios.Lift.strategies.naive.metrics without bytes.down
            $.scenarios.Lift.strategies.naive.metrics without cause.keepalive
            $.scenarios.Lift.strategies.naive.metrics without delivery.down.lost
            $.scenarios.Lift.strategies.naive.metrics without delivery.down.sent
            $.scenarios.Lift.strategies.naive.metrics without keepalive.pings
            $.scenarios.Lift.strategies.naive.metrics without latency.down.p95
            $.scenarios.Lift.strategies.naive.metrics without recovery.p95
            $.scenarios.Lift.strategies.naive.metrics without zombie.max
            $.scenarios.Lift.strategies without tuned
            $.scenarios.Lift.strategies.tuned.metrics without battery.above_idle_joules
            $.scenarios.Lift.strategies.tuned.metrics without battery.joules
            $.scenarios.Lift.strategies.tuned.metrics without battery.promotions
            $.scenarios.Lift.strategies.tuned.metrics without bytes.down
            $.scenarios.Lift.strategies.tuned.metrics without cause.keepalive
            $.scenarios.Lift.strategies.tuned.metrics without delivery.down.lost
            $.scenarios.Lift.strategies.tuned.metrics without delivery.down.sent
            $.scenarios.Lift.strategies.tuned.metrics without keepalive.pings
            $.scenarios.Lift.strategies.tuned.metrics without latency.down.p95
            $.scenarios.Lift.strategies.tuned.metrics without recovery.p95
            $.scenarios.Lift.strategies.tuned.metrics without zombie.max
            """#)
        for (old, new) in [
            ("\"seed\": 1", "\"seed\": -1"), ("\"replicas\": 12", "\"replicas\": 0"),
            ("\"minute_s\": 60", "\"minute_s\": 0"), ("\"AABBCC\"", "\"AABBC\""), ("aaaa\"", "aaag\""),
            ("\"1111", "\"11111"),
        ] {
            let text = baseline.text.replacing(old, with: new)
            let damaged = try JSON(text: Array(text.utf8))
            #expect(text == baseline.text || fault(damaged, schema) != nil, "\(new)")
        }
        let least = baseline.text.replacing("\"seed\": 1", with: "\"seed\": 0").replacing(
            "\"minute_s\": 60", with: "\"minute_s\": 1")
        #expect(try fault(JSON(text: Array(least.utf8)), schema) == nil)
        #expect(
            schema["title"]?.string == "Deadzone baseline, version 2"
                && schema["$schema"]?.string == "http://json-schema.org/draft-07/schema#")
        #expect(CompareReport.jsonSchema["title"]?.string == "Deadzone comparison, version 1")
    }

    @Test func gatesFollowTheirSchema() throws {
        // Broken: an operator, a level or a reference of a gate is refused, or an unknown one is accepted.
        let gate = try #require(CompareReport.jsonSchema["properties"]?["gates"]?["items"])
        let base: [String: JSON] = [
            "scenario": .string("a"), "strategy": .string("b"), "metric": .string("c"), "level": .string("warn"),
            "source": .string("gates"),
            "op": .string("=="), "bound": .null, "value": .null, "verdict": .string("pass"),
        ]
        func isValid(_ key: String, _ value: JSON) -> Bool {
            fault(.object(base.merging([key: value]) { $1 }), gate) == nil
        }
        for (key, words) in [
            ("op", ["==", "<", "<=", ">", ">=", "in"]), ("level", ["warn", "error"]),
            ("source", ["scenario", "gates"]), ("verdict", ["pass", "fail"]),
        ] {
            #expect(
                words.allSatisfy { isValid(key, .string($0)) } && !isValid(key, .string("off"))
                    && !isValid(key, .string("!=")))
        }
        #expect(
            isValid("value", .object(["at_least": .number(1)])) && isValid("value", .integer(1))
                && !isValid("value", .object([:])))
        #expect(
            isValid("bound", .array([.integer(1), .integer(2)])) && isValid("bound", .integer(1))
                && !isValid("bound", .string("1")))
        #expect(
            isValid("of", .string("a")) && isValid("ratio", .number(1)) && isValid("note", .string(""))
                && isValid("reason", .string("")))
        #expect(!isValid("of", .integer(1)) && !isValid("ratio", .string("1")) && !isValid("other", .null))
    }
}
