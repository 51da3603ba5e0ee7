import DeadzoneBase
import DeadzoneMetrics

/// Text of the model behind the numbers: a few lines, or every source and assumption.
extension ModelNotes {
    /// - Parameter hasVerboseFlag: The command can list all of them.
    func text(_ style: Style, isVerbose: Bool, hasVerboseFlag: Bool = true) -> String {
        var text = style.paint("Model", .bold) + "\n"
        for radio in radios {
            text += radio.profile.text("\(radio.interface.title) radio", style, isVerbose: isVerbose)
        }
        if let platform { text += platform.text("platform", style, isVerbose: isVerbose) }
        for group in population { text += "  " + style.wrapped(group.escapedForTerminal, indent: 4, after: 2) + "\n" }
        for limit in limits { text += "  " + style.wrapped(limit.escapedForTerminal, indent: 4, after: 2) + "\n" }
        let isCut = (radios.map(\.profile) + [platform].compactMap(\.self)).contains(where: \.isLong)
        if isCut && !isVerbose {
            let flag = hasVerboseFlag ? "-v or " : ""
            let more = "For all sources and assumptions, use \(flag)deadzone explain PROFILE."
            text += "  " + style.wrapped(more, indent: 4, after: 2) + "\n"
        }
        return text
    }
}

extension ModelNote {
    private static let maxSourceLength = 100
    private static let maxAssumptions = 3

    /// `true` if the short form leaves something out.
    fileprivate var isLong: Bool { sources.count > 1 || assumed.count > Self.maxAssumptions }

    fileprivate func text(_ what: String, _ style: Style, isVerbose: Bool) -> String {
        let head = "\(what) \(name.escapedForTerminal)"
        if isVerbose {
            var text = "  " + head + "\n"
            for source in sources {
                text += "    " + style.wrapped("from \(source.escapedForTerminal)", indent: 6, after: 4) + "\n"
            }
            for phrase in assumed {
                text += "    " + style.wrapped("assumed: \(phrase.escapedForTerminal)", indent: 6, after: 4) + "\n"
            }
            return text + (assumed.isEmpty ? "    no assumptions\n" : "")
        }
        let more = sources.count > 1 ? " and \(sources.count - 1) more" : ""
        let from = sources.first.map { ", from \(Self.shortened($0).escapedForTerminal)\(more)" } ?? ""
        let shown = assumed.prefix(assumed.count > Self.maxAssumptions ? Self.maxAssumptions - 1 : Self.maxAssumptions)
            .map(\.escapedForTerminal)
        let rest = assumed.count - shown.count
        let phrases = shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        return "  " + style.wrapped(head + from, indent: 4, after: 2) + "\n    "
            + style.wrapped(assumed.isEmpty ? "no assumptions" : "assumed: \(phrases)", indent: 6, after: 4) + "\n"
    }

    /// Cuts a source to its first 100 characters, at a word boundary.
    private static func shortened(_ source: String) -> String {
        guard source.count > maxSourceLength else { return source }
        let words = source.prefix(maxSourceLength).split(separator: " ").dropLast()
        return words.joined(separator: " ") + " …"
    }
}
