import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// What the numbers stand on: in a few lines, or with every source and assumption.
extension ModelNotes {
    func text(_ style: Style, isVerbose: Bool) -> String {
        var text = style.paint("Model", .bold) + "\n"
        for radio in radios {
            text += radio.profile.text("\(radio.interface.title) radio", style, isVerbose: isVerbose)
        }
        if let platform { text += platform.text("platform", style, isVerbose: isVerbose) }
        for group in population { text += "  " + style.wrapped(group.visible, indent: 4, after: 2) + "\n" }
        for limit in limits { text += "  " + style.wrapped(limit.visible, indent: 4, after: 2) + "\n" }
        let isCut = (radios.map(\.profile) + [platform].compactMap(\.self)).contains(where: \.isLong)
        if isCut && !isVerbose {
            let more = "All sources and assumptions: with -v, or deadzone explain PROFILE."
            text += "  " + style.wrapped(more, indent: 4, after: 2) + "\n"
        }
        return text
    }
}

extension ModelNote {
    private static let fewWords = 100
    private static let few = 3

    /// There is more to say than the short form does.
    fileprivate var isLong: Bool { sources.count > 1 || assumed.count > Self.few }

    fileprivate func text(_ what: String, _ style: Style, isVerbose: Bool) -> String {
        let head = "\(what) \(name.visible)"
        if isVerbose {
            var text = "  " + head + "\n"
            for source in sources {
                text += "    " + style.wrapped("from \(source.visible)", indent: 6, after: 4) + "\n"
            }
            for phrase in assumed {
                text += "    " + style.wrapped("assumed: \(phrase.visible)", indent: 6, after: 4) + "\n"
            }
            return text + (assumed.isEmpty ? "    nothing assumed\n" : "")
        }
        let more = sources.count > 1 ? " and \(sources.count - 1) more" : ""
        let from = sources.first.map { ", from \(Self.shortened($0).visible)\(more)" } ?? ""
        let shown = assumed.prefix(assumed.count > Self.few ? Self.few - 1 : Self.few).map(\.visible)
        let rest = assumed.count - shown.count
        let phrases = shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        return "  " + style.wrapped(head + from, indent: 4, after: 2) + "\n    "
            + style.wrapped(assumed.isEmpty ? "nothing assumed" : "assumed: \(phrases)", indent: 6, after: 4) + "\n"
    }

    /// A citation may name chapter and verse; the short form ends where its first part does.
    private static func shortened(_ source: String) -> String {
        guard source.count > fewWords else { return source }
        let words = source.prefix(fewWords).split(separator: " ").dropLast()
        return words.joined(separator: " ") + " …"
    }
}
