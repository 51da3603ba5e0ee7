import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// A network link that a scenario's timeline switches an interface to: a named link, or one under a weak signal.
enum LinkUse: Equatable {
    case named(String)
    /// A link through a weak signal: index of the cellular profile, and number of the underlying link.
    case weak(radio: Int, over: Int)
}

/// Changes of signal strength: the same radio at different powers, over a slower link.
extension TimelineKeyword {
    static let signal = [
        TimelineKeyword(
            "signal",
            read: {
                $0.word(
                    $1, of: [("weak", true), ("usual", false)],
                    "weak: a weak cellular signal, as measured in the profile; usual: a normal signal again")
            }, isTransient: { $0 && $1.length != nil }
        ) { compiler, isWeak, modifiers, event, line in
            if isWeak {
                compiler.weakenSignal(modifiers.length, event, line)
            } else {
                compiler.restoreSignal(event, line)
            }
        }
    ]
}

extension TimelineCompiler {
    mutating func weakenSignal(_ length: SpanRange?, _ event: Occurrence, _ line: TimelineLine) {
        guard has(.cellular, line) else { return }
        let (radio, place) = (activeState.technology, Interface.cellular.index)
        guard knowsWeakSignal.indices.contains(radio), knowsWeakSignal[radio] else {
            return note(
                .contradiction, line, "the \(technologies[radio]) profile has no values for a weak signal",
                help:
                    "no measurement exists for it, and none is invented; set `weak-signal-`… in a profile of your own"
            )
        }
        guard activeState.weakUntil <= event.at else { return noteAlready("the signal is weak", line) }
        guard activeState.conditionsUntil[place] <= event.at else {
            return note(.contradiction, line, "the previous conditions still hold")
        }
        if !weakRadios.contains(radio) { weakRadios.append(radio) }
        let before = activeState.conditions[place]
        let link = LinkUse.weak(radio: radio, over: before)
        if !linksUsed[place].contains(link) { linksUsed[place].append(link) }
        guard let rank = weakRadios.firstIndex(of: radio), let condition = linksUsed[place].firstIndex(of: link),
            condition < Int(UInt8.max)
        else { return note(.wrongCount, line, "more than \(UInt8.max) different conditions of one interface") }
        emit(
            event,
            .signal(isWeak: true, radio: UInt8(technologies.count + rank), condition: UInt8(condition + 1)))
        if let length { emit(event, usualSignal, after: length) }
        activeState.weakUntil = length.map { event.at + $0.greatest } ?? .never
    }

    mutating func restoreSignal(_ event: Occurrence, _ line: TimelineLine) {
        guard has(.cellular, line) else { return }
        guard activeState.weakUntil == .never else { return noteRedundant("the signal is as usual", event, line) }
        emit(event, usualSignal)
        activeState.weakUntil = .zero
    }

    /// `true`, with a fault, if the signal is still weak. During a weak signal no other change of the cellular link is
    /// allowed.
    mutating func isWeak(_ event: Occurrence, _ line: TimelineLine) -> Bool {
        guard event.at < activeState.weakUntil else { return false }
        note(.contradiction, line, "the signal is still weak", help: "`signal: usual` ends it earlier")
        return true
    }

    private var usualSignal: ConditionChange {
        .signal(
            isWeak: false, radio: UInt8(activeState.technology),
            condition: UInt8(activeState.conditions[Interface.cellular.index]))
    }
}

extension ScenarioSketch {
    /// The links that the condition numbers of the timeline stand for.
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
