extension FaultCode {
    var row: (title: String, explanation: String) {
        switch self {
        case .tooLarge:
            (
                "the file is too large",
                "A file may hold 1 MiB. Scenarios are a page or two; a larger file is usually the wrong one."
            )
        case .notUTF8:
            (
                "the file is not UTF-8",
                "Save the file as UTF-8. A byte order mark at its start is fine; UTF-16 and Latin-1 are not read."
            )
        case .controlCharacter:
            (
                "a control character",
                "YAML allows no control characters but tab and line breaks. NUL bytes mean that the file is binary or damaged."
            )
        case .syntax:
            (
                "not valid YAML",
                "The text cannot be read as YAML. The mark is where reading stopped, often just after the mistake."
            )
        case .tab: ("a tab where YAML allows none", "Indent with spaces. Editors can be told to do so for YAML files.")
        case .tooDeep: ("nested too deeply", "Lists and maps may be nested 64 deep, aliases included.")
        case .tooManyAliases:
            (
                "too many alias expansions",
                "Aliases (`*name`) may be expanded 10,000 times, counted inside expanded aliases too, and may add 4 MiB of text. Aliases of aliases multiply."
            )
        case .unknownAlias:
            (
                "an alias without an anchor",
                "`*name` repeats what `&name` marked further up in the same file. It cannot point forward or at the thing it stands in."
            )
        case .duplicateKey:
            (
                "a key twice in one map",
                "YAML readers disagree which of the two counts, so neither does. Keys that differ only in how Unicode composes their letters are the same key."
            )
        case .tag: ("a YAML tag", "Tags (`!name`) are not read; only `!!str`, `!!map` and `!!seq` are allowed.")
        case .severalDocuments: ("more than one document", "A file holds one document. Split it at the `---` lines.")
        case .emptyFile:
            (
                "nothing in the file",
                "A scenario is a map that begins with `version: 1`. `deadzone init` writes one to start from."
            )
        case .keyNotText: ("a key that is not a word", "Keys are words; a list or map cannot be a key.")
        case .mergeKey: ("a merge key that merges nothing", "`<<` takes a map, an alias of a map, or a list of those.")
        case .lineSeparator:
            (
                "an invisible line break",
                "U+0085, U+2028 and U+2029 end a line for YAML 1.1 and not for most editors, so that line numbers would not agree. Remove them, or write them as an escape in double quotes."
            )
        case .missing: ("a setting is missing", "This setting has no sensible default.")
        case .wrongType:
            (
                "a value of another kind",
                "A single value, a list (`[a, b]`) or a map (`{key: value}`) was expected and another of the three stands there."
            )
        case .noValue:
            (
                "a key without a value",
                "`key:` with nothing after it means nothing here. Remove the line to have the default."
            )
        case .unknownKey:
            (
                "an unknown setting",
                "Unknown keys are refused, because a misspelt setting would silently be the default. Keys that begin with `x-` are yours and are never read."
            )
        case .bareNumber:
            (
                "a number without a unit",
                "Durations, sizes, powers and rates are written with their unit: 45s, 64KiB, 350mW, 20Mbps."
            )
        case .notANumber: ("not a number", "A number is written with digits and at most one decimal point.")
        case .unknownUnit:
            ("an unknown unit", "Units are exact and case counts: ms is not Ms, kB is 1000 bytes, KiB is 1024.")
        case .outOfRange: ("a number out of range", "The message says what is allowed.")
        case .tooFine:
            (
                "more digits than can be kept",
                "Numbers are kept exactly, in whole nanoseconds, bytes, microwatts and the like; what does not fit exactly is refused, not rounded."
            )
        case .unknownWord: ("an unknown word", "The setting takes one of a few words; the message lists them.")
        case .notABoolean:
            (
                "not true or false",
                "YAML 1.1 reads on, off, yes and no as booleans and YAML 1.2 as words. Write true or false."
            )
        case .sexagesimal: ("a number in base 60", "YAML 1.1 reads 1:30 as the number 90. Write 90s or 1m30s.")
        case .octal:
            (
                "an octal or hexadecimal number",
                "YAML 1.1 reads 010 as eight and YAML 1.2 as ten. Write decimal digits without leading zeros."
            )
        case .notFinite:
            ("not a finite number", "NaN and infinity measure nothing. Leave the setting out to have its default.")
        case .wrongForm:
            (
                "a value in none of the allowed forms",
                "Some settings take a plain value or a map with exactly one key that says what kind of value it is; the message lists the forms."
            )
        case .wrongCount: ("a list of the wrong length", "The message says how many items are expected.")
        case .quotedNumber: ("a number in quotes", "Quotes make a text of it. Remove them.")
        case .version:
            ("the version of the language", "Every scenario begins with `version: 1`, so that later versions can tell.")
        case .unknownStrategy: ("an unknown strategy", "`deadzone list strategies` prints them.")
        case .unknownProfile: ("an unknown radio profile", "`deadzone list profiles` prints them.")
        case .unknownMetric:
            (
                "an unknown metric",
                "`deadzone list metrics` prints them. An unknown metric is an error: it would otherwise never fail."
            )
        case .badBound:
            (
                "a bound that cannot be read",
                "Bounds are words: 0, under 15s, at most 3, over 2m, at least 99%, 1s to 3s, at most 60% of naive, within 1% of baseline. Quoted symbols work too: \"> 2m\"."
            )
        case .unquotedSymbol:
            (
                "a symbol that YAML reads itself",
                "Outside quotes `>` begins a folded text. Write `over 2m`, or \"> 2m\" in quotes."
            )
        case .boundReference:
            ("a bound relative to nothing", "`of NAME` names another strategy of the same scenario, or `baseline`.")
        case .extendsUnreadable:
            ("a file to extend cannot be read", "`extends:` names a file relative to the one it stands in.")
        case .extendsCycle:
            ("files that extend each other in a circle", "Follow the chain in the message and cut it somewhere.")
        case .longChain:
            (
                "a chain of files that is too long",
                "Each file extends or is made of the next. Lay those in the middle together, or extend the last one."
            )
        case .matrixAxis:
            (
                "a matrix axis that cannot be used",
                "An axis is a list of values, or a map from labels to values; it is named by a path into the scenario (`phone.radios.cellular`) or used as ${name}."
            )
        case .matrixSize: ("too many matrix cells", "The axes multiply. A matrix may have 1,000 cells.")
        case .placeholder:
            ("a placeholder without an axis", "${name} is replaced by the value of the matrix axis of that name.")
        case .timeline:
            ("a timeline entry that says nothing or too much", "Each entry has an `at:` and at least one change.")
        case .lateEvent:
            (
                "a timeline entry after the end",
                "What happens at or after `duration` can never take effect, so the scenario would not test it."
            )
        case .contradiction: ("settings that contradict each other", "They cannot both hold: change or remove one.")
        case .noFloor:
            (
                "phones that share a server over a link without a least delay",
                "Phones that meet at a server are simulated in rounds no longer than the smallest one-way delay, so every link needs a `floor:` above zero."
            )
        case .population:
            (
                "a population that does not add up",
                "Each group has a `share` of the phones, and all shares sum to 100%; or each says how many `phones` it has. No group is empty. Where every group has its own `strategy` nothing is left to be compared, so `strategies` is left out."
            )
        case .badTrace:
            (
                "a link trace that cannot be read",
                "A trace is a file beside the scenario that names it, of at most 32 MiB: either a millisecond on each line, at which 1,500 bytes may leave (Mahimahi), or two columns, time and rate. Times rise from line to line."
            )
        }
    }
}
