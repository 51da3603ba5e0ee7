extension FaultCode {
    var row: (title: String, explanation: String) {
        switch self {
        case .tooLarge:
            (
                "the file is too large",
                "A file may have at most 1 MiB. A scenario has a page or two; a larger file is usually the wrong one."
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
        case .tab: ("a tab where YAML allows none", "Indent with spaces. Editors have a setting for YAML files.")
        case .tooDeep: ("nested too deeply", "Lists and maps may be nested 64 deep, aliases included.")
        case .tooManyAliases:
            (
                "too many alias expansions",
                "Aliases (`*name`) may be expanded 10,000 times, counted inside expanded aliases too, and may add 4 MiB of text. Aliases of aliases multiply."
            )
        case .unknownAlias:
            (
                "an alias without an anchor",
                "`*name` repeats the value that `&name` marks further up in the same file. It cannot refer to a later value or to the value that contains it."
            )
        case .duplicateKey:
            (
                "a key twice in one map",
                "YAML readers disagree about which of the two counts, so a duplicate key is an error. Keys that differ only in how Unicode composes their letters are the same key."
            )
        case .tag: ("a YAML tag", "Tags (`!name`) are not read; only `!!str`, `!!map` and `!!seq` are allowed.")
        case .severalDocuments: ("more than one document", "A file holds one document. Split it at the `---` lines.")
        case .emptyFile:
            (
                "nothing in the file",
                "A scenario is a map that begins with `version: 1`. `deadzone init` writes a first one."
            )
        case .keyNotText: ("a key that is not a word", "Keys are words; a list or map cannot be a key.")
        case .mergeKey: ("a merge key that merges nothing", "`<<` takes a map, an alias of a map, or a list of those.")
        case .lineSeparator:
            (
                "an invisible line break",
                "U+0085, U+2028 and U+2029 end a line in YAML 1.1 but not in most editors, so line numbers would differ. Remove them, or write them as an escape in double quotes."
            )
        case .missing: ("a setting is missing", "This setting has no sensible default.")
        case .wrongType:
            (
                "a value of another kind",
                "The setting takes a single value, a list (`[a, b]`) or a map (`{key: value}`), but the file has another of the three."
            )
        case .noValue:
            (
                "a key without a value",
                "`key:` without a value has no meaning here. Remove the line to use the default."
            )
        case .unknownKey:
            (
                "an unknown setting",
                "Unknown keys are errors, because a misspelt setting would silently keep its default. Keys that begin with `x-` are for your own use and are never read."
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
                "Numbers are kept exactly, in whole nanoseconds, bytes, microwatts and similar units. A number that does not fit exactly is an error; it is not rounded."
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
            ("not a finite number", "NaN and infinity are not valid values. Remove the setting to use its default.")
        case .wrongForm:
            (
                "a value in none of the allowed forms",
                "Some settings take a plain value, or a map with exactly one key that names the kind of value. The message lists the forms."
            )
        case .wrongCount: ("a list of the wrong length", "The message says how many items are expected.")
        case .quotedNumber: ("a number in quotes", "Quotes turn the number into text. Remove them.")
        case .version:
            ("the version of the language", "Every scenario begins with `version: 1`, so later versions recognise it.")
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
                "Each file extends or is based on the next. Merge files in the middle, or extend the last one."
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
            ("a timeline entry with no change or too many", "Each entry has an `at:` and at least one change.")
        case .lateEvent:
            (
                "a timeline entry after the end",
                "A change at or after `duration` never takes effect, so the scenario would not test it."
            )
        case .contradiction: ("settings that contradict each other", "They exclude each other: change or remove one.")
        case .noFloor:
            (
                "phones that share a server over a link without a minimum delay",
                "Phones that share a server are simulated in rounds of at most the smallest one-way delay. Every link therefore needs a `floor:` above zero."
            )
        case .population:
            (
                "a population that does not add up",
                "Each group has a `share` of the phones, and all shares sum to 100%; or each group has a number of `phones`. No group is empty. If every group has its own `strategy`, there is nothing to compare: remove `strategies`."
            )
        case .badTrace:
            (
                "a link trace that cannot be read",
                "A trace is a file of at most 32 MiB, relative to the scenario that names it. Either each line is a millisecond at which 1,500 bytes may leave (Mahimahi), or there are two columns, time and rate. Times increase from line to line."
            )
        }
    }
}
