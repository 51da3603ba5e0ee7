import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneWorld

/// A link that the timeline switches to.
enum LinkUse: Equatable {
    case named(String)
    /// Through a weak signal: of which cellular profile, and the number of the link itself.
    case weak(radio: Int, over: Int)
}

/// How strong the signal is: the same radio at other prices, over a link that carries less.
extension TimelineRow {
    static let signal = [
        TimelineRow(
            "signal",
            read: {
                $0.word(
                    $1, of: [("weak", true), ("usual", false)],
                    "the cellular signal is weak: what its profile has measured of that; usual: it is not any more")
            }, isOver: { $0 && $1.length != nil }
        ) { compiler, isWeak, manner, event, line in
            if isWeak { compiler.weaken(manner.length, event, line) } else { compiler.strengthen(event, line) }
        }
    ]
}

extension TimelineCompiler {
    mutating func weaken(_ length: SpanRange?, _ event: Occurrence, _ line: Line) {
        guard has(.cellular, line) else { return }
        let (radio, place) = (troubles.technology, Interface.cellular.index)
        guard knowsWeakSignal.indices.contains(radio), knowsWeakSignal[radio] else {
            return note(
                .contradiction, line, "the \(technologies[radio]) profile says nothing of a weak signal",
                help:
                    "nobody has measured one there, and none is made up; a profile of your own says it by `weak-signal-`…"
            )
        }
        guard troubles.weakUntil <= event.at else { return note(.contradiction, line, "the signal is weak already") }
        guard troubles.conditionsUntil[place] <= event.at else {
            return note(.contradiction, line, "the conditions before it still hold")
        }
        if !weakRadios.contains(radio) { weakRadios.append(radio) }
        let before = troubles.conditions[place]
        let link = LinkUse.weak(radio: radio, over: before)
        if !linksUsed[place].contains(link) { linksUsed[place].append(link) }
        guard let rank = weakRadios.firstIndex(of: radio), let condition = linksUsed[place].firstIndex(of: link),
            condition < Int(UInt8.max)
        else { return note(.wrongCount, line, "more than \(UInt8.max) different conditions of one interface") }
        emit(
            event,
            .signal(isWeak: true, radio: UInt8(technologies.count + rank), condition: UInt8(condition + 1)))
        if let length { emit(event, usualSignal, after: length) }
        troubles.weakUntil = length.map { event.at + $0.greatest } ?? .never
    }

    mutating func strengthen(_ event: Occurrence, _ line: Line) {
        guard has(.cellular, line) else { return }
        guard troubles.weakUntil == .never else { return already("the signal is as usual", event, line) }
        emit(event, usualSignal)
        troubles.weakUntil = .zero
    }

    /// Nothing else of the cellular network changes meanwhile.
    mutating func isWeak(_ event: Occurrence, _ line: Line) -> Bool {
        guard event.at < troubles.weakUntil else { return false }
        note(.contradiction, line, "the signal is still weak", help: "`signal: usual` ends it before")
        return true
    }

    private var usualSignal: Change {
        .signal(
            isWeak: false, radio: UInt8(troubles.technology),
            condition: UInt8(troubles.conditions[Interface.cellular.index]))
    }
}

extension ScenarioSketch {
    /// What the numbers of the timeline's conditions mean.
    func conditions(_ used: [LinkUse], usual: LinkProfile) -> [LinkProfile] {
        var all: [LinkProfile] = []
        for use in used {
            switch use {
            case .named(let name): if let link = link(named: name) { all.append(link) }
            case .weak(let radio, let over):
                let link = over == 0 ? usual : all[over - 1]
                all.append(phone.weakSignals[radio]?.over(link) ?? link)
            }
        }
        return all
    }
}
