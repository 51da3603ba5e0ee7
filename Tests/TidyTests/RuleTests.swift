import Testing

struct RuleTests {
    @Test(arguments: Rules.all)
    func holdsEverywhere(_ rule: Rule) {
        // Broken: the rule named below is violated, at the lines shown.
        let violations = Checkout.files.filter(rule.holds).flatMap(rule.violations)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        #expect(Checkout.files.contains(where: rule.holds), "the rule holds for no file: has a folder been renamed?")
    }

    @Test(arguments: Rules.all)
    func canFail(_ rule: Rule) {
        // Broken: the rule finds nothing, or reports a line without a violation.
        let path = "Sources/\(rule.targets?.first ?? "Command")/Planted.swift"
        for line in rule.broken {
            let file = SourceFile(path, "struct Planted {}\n\(line)\n")
            #expect(rule.holds(for: file) && !rule.violations(in: file).isEmpty, "missed: \(line)")
        }
        for line in rule.innocent {
            #expect(rule.violations(in: SourceFile(path, line + "\n")) == [], "false alarm: \(line)")
        }
    }

    @Test func everyExceptionExists() {
        // Broken: a file is renamed or fixed and its exception stays, so that a later file of that name is exempt.
        for rule in Rules.all {
            for path in rule.except {
                var strict = rule
                strict.except = []
                let file = Checkout.files.first { $0.path == path }
                #expect(
                    file.map { !strict.violations(in: $0).isEmpty } == true, "\(rule.name): \(path) needs no exception")
            }
        }
    }

    @Test(arguments: [
        ("a // b", "a     "),
        ("a /* b /* c */ d */ e", "a                   e"),
        (#"f("x // y") // z"#, "f(        )     "),
        (#"f("a\"b")c"#, "f(      )c"),
        (##"f(#"a"b"#)c"##, "f(       )c"),
        (#"f("a\(g("b") + h)c")d"#, "f(                 )d"),
        ("f(\"\"\"\n\"x\" // y\n\"\"\")z", "f(   \n        \n   )z"),
    ])
    func blanksOnlyCommentsAndStrings(_ text: String, _ expected: String) {
        // Broken: a rule looks into comments, or misses code behind a quote.
        #expect(codeOnly(text) == expected)
    }
}
