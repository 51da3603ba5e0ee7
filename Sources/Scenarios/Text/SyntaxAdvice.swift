import DeadzoneBase

/// Converts a YAML syntax error of libyaml into a fault with advice about the usual cause.
struct SyntaxAdvice {
    var problem: String
    var context: String
    var mark: SourceMark
    var contextMark: SourceMark?
    var character: Unicode.Scalar?
    /// `true` if there is a placeholder shortly before the error.
    var hasPlaceholder: Bool

    var fault: Fault {
        if character == "\t" {
            return Fault(.tab, at: mark, "a tab where YAML allows none", label: "use spaces")
        }
        if let symbol, context.contains("block scalar") || problem.contains("cannot start any token") {
            return Fault(
                .unquotedSymbol, at: symbol, "`>` begins a folded text in YAML", label: "write a word or quote it",
                help: "write `over 2m`, or \"> 2m\" in quotes")
        }
        return Fault(.syntax, at: mark, "this is not YAML: \(problem)", label: opened, help: help)
    }

    /// Position of a `>` that begins a folded text. If reading it fails, a comparison was nearly always intended.
    private var symbol: SourceMark? {
        if context.contains("block scalar") { return contextMark }
        return character == ">" ? mark : nil
    }

    private var opened: String {
        guard let contextMark, contextMark.line > 0, !context.isEmpty else { return "" }
        return "\(context) that began at line \(contextMark.line), column \(contextMark.column)"
    }

    private var help: String {
        if hasPlaceholder { return "inside { } and [ ] a placeholder is put in quotes: \"${axis}\"" }
        return switch problem {
        case "mapping values are not allowed in this context":
            "put a value that contains `: ` in quotes, and check the indentation"
        case "could not find expected ':'": "a key is followed by a colon and a space; check the line above too"
        case "did not find expected key": "keys of one map begin in the same column"
        case "did not find expected '-' indicator": "the items of one list begin in the same column"
        case "did not find expected ',' or '}'": "a comma is missing, or a `}`"
        case "did not find expected ',' or ']'": "a comma is missing, or a `]`"
        case "found unexpected end of stream": "a quote is opened and never closed"
        case "found character that cannot start any token":
            "put a value that begins with % @ ` or > in quotes"
        case "found incompatible YAML document": "write %YAML 1.1, or leave the line out"
        case "did not find expected <document start>": "a file may contain only one document, and `---` only before it"
        default: ""
        }
    }
}
