/// Rules of this project that the compiler does not enforce.
enum Rules {
    static let all = chance + clocks + numbers + order + doors + interfaces + documents + words

    private static let chance = [
        Rule(
            name: "dice come from the seed", pattern: #"\bSystemRandomNumberGenerator\b|\barc4random|\bdrand48\b"#,
            broken: ["var dice = SystemRandomNumberGenerator()"], innocent: ["// no SystemRandomNumberGenerator"]),
        Rule(
            name: "random needs `using:`",
            pattern:
                #"\.random\((?!\s*\))(?![^()]*(\([^()]*\)[^()]*)*\busing:)|\.random\(\)|\.(randomElement|shuffled|shuffle)\(\s*\)"#,
            broken: ["Int.random(in: 0..<f(9))", "Bool.random()", "list.shuffled()", "list.randomElement()"],
            innocent: [
                "Int.random(in: 0..<f(9), using: &dice)", "list.shuffled(using: &dice)", "let x = session.random",
            ]),
    ]

    private static let clocks = [
        Rule(
            name: "only Host knows a clock",
            pattern: #"\bDate\(|\b(ContinuousClock|SuspendingClock|DispatchTime|CFAbsoluteTimeGetCurrent)\b"#
                + #"|\b(clock_gettime|gettimeofday|mach_absolute_time|nanosleep|usleep)\("#,
            targets: ModuleTable.notHost, broken: ["let now = Date()", "let clock = ContinuousClock()"],
            innocent: ["let update = lastUpdate()", "let s = \"Date()\""])
    ]

    private static let numbers = [
        Rule(
            name: "integers only on the engine's side",
            pattern: #"\b(Double|Float|Float16|Float32|Float64|Float80|CGFloat)\b|(?<![\w.$])\d[\d_]*\.\d"#,
            targets: ModuleTable.engineSide, broken: ["let mean: Double", "let half = 0.5"],
            innocent: ["let pair = value.0.1", "pairs.map { $0.1 }", "let range = 0...5", "case float"]),
        Rule(
            name: "no libm on the engine's side",
            pattern:
                #"(?<![.\w])(sqrt|exp|exp2|log|log2|log10|pow|sin|cos|tan|tanh|erf|lgamma|floor|ceil|round|fmod)\("#
                + #"|\.squareRoot\(\)"#,
            targets: ModuleTable.engineSide, broken: ["let x = log(y)", "let x = y.squareRoot()"],
            innocent: ["recorder.log(y)", "let x = round", "catalog(1)"]),
    ]

    private static let order = [
        Rule(
            name: "no hash collections on the engine's side",
            pattern:
                #"\b(Dictionary|Set)\b\s*[<(.]|\[\s*[A-Z][\w.<>]*\s*:\s*[\[(]*[A-Z][\w.<>\[\]?]*\s*\]|\[\s*:\s*\]"#,
            targets: ModuleTable.engineSide,
            except: [
                // The words of YAML 1.1 with special meanings: looked up, never iterated.
                "Sources/Base/Settings/SettingsReader+Values.swift",
                "Sources/Base/Settings/SharedSchema.swift",
            ],
            broken: ["var seen: Set<Int> = []", "let table: [String: Int]", "let table = [Int: [Mark]]()", "f([:])"],
            innocent: ["let list: [String]", "OptionSet(x)", "let a = [first: 1]"])
    ]

    private static let doors = [
        Rule(
            name: "libc differs by system: ask for it in Host alone", pattern: #"#(if|elseif)\s+.*\b(canImport|os)\("#,
            targets: ModuleTable.notHost, broken: ["#if canImport(Darwin)", "#if os(Linux)"], innocent: ["#if DEBUG"]),
        Rule(
            name: "output goes through a Console", pattern: #"(?<![.\w])(print|debugPrint|dump|puts|printf|NSLog)\("#,
            broken: ["print(table)"], innocent: ["sink.print(table)", "fingerprint(x)"]),
        Rule(
            name: "only Host ends the process", pattern: #"(?<![.\w])(exit|_exit|abort)\("#,
            targets: ModuleTable.notHost, broken: ["exit(1)"], innocent: ["verb.exit(1)", "let code = exit"]),
        Rule(
            name: "a fault of a user is no trap", pattern: #"\btry!|\bas!"#, broken: ["let x = try! read()"],
            innocent: ["let x = try? read()"]),
        Rule(
            name: "underscored and unchecked features need a reason beside them",
            pattern: #"@_\w+|@unchecked\b|\bnonisolated\(unsafe\)|\bBuiltin\."#, allowedWithReason: true,
            broken: ["@_optimize(none) func f() {}", "\n\nfinal class A: @unchecked Sendable {}"],
            innocent: ["// The one writer is joined before anyone reads.\nnonisolated(unsafe) var x = 1", "@inlinable"]),
    ]

    private static let interfaces = [
        Rule(
            name: "only what strategies of other packages need is public: see Sources/Client/README.md",
            pattern: #"\bpublic\b(?!\s+import\b)"#, targets: ModuleTable.withoutStrategies,
            except: [
                // Tests read the results of a trial. The main file of an author's command ends with `run`.
                "Sources/Runs/Trials/Trial.swift",
                "Sources/Command/Command.swift",
            ],
            broken: ["public struct Arena {}", "    @inlinable public var next: Instant { timer.next }"],
            innocent: ["public import DeadzoneBase", "package struct Arena {}", "// A public interface."])
    ]

    private static let documents = [
        Rule(
            name: "the schemas of JSON documents are in one table", pattern: #""deadzone/[a-z-]+/[0-9]"#, look: .text,
            targets: [
                "Documents", "Archive", "Traces", "Pages", "Runs", "Live", "Command", "Guide", "Studio", "Bench",
            ],
            except: ["Sources/Reports/Documents/DocumentSchema.swift"],
            broken: [#"["schema": .string("deadzone/run/1")]"#],
            innocent: [#"["schema": DocumentSchema.run.json]"#, #"schema.hasPrefix("deadzone/")"#])
    ]

    /// Written in parts, so that this table does not break its own rules.
    private static let words = [
        Rule(
            name: "no path of one machine", pattern: "(?<![\\w.])/(wor" + "k|roo" + "t|hom" + "e|User" + "s)/",
            look: .text,
            broken: ["see /wor" + "k/notes.txt"], innocent: ["Sources/wor" + "k/x", "a/home/b"]),
        Rule(
            name: "finished work only", pattern: "\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b", look: .text,
            broken: ["// TO" + "DO: later"], innocent: ["// to do so", "todo"]),
        Rule(
            name: "the project speaks of itself alone", pattern: "(?i)\\bissues? #?[0-9]+\\b|\\bsub-?agen" + "ts?\\b",
            look: .text, broken: ["as iss" + "ue 2 asks"], innocent: ["the issue is open"]),
    ]
}
