import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

extension WorldLaws {
    /// Law: radios change levels only along the arrows of their state diagrams.
    func checkTransitions(_ world: World, _ broken: inout [String]) {
        let legal = world.interfaces.map { world.profiles(of: $0).map(LegalSteps.init) }
        let cellular = world.profiles(of: .cellular)
        // A radio that changes technology starts anew. A radio with a changed signal strength continues in its level, but
        // the new number may also be a technology: then the radio starts in idle, which may last zero time.
        func goesOn(_ one: UInt8, _ other: UInt8) -> Bool {
            one == other || isSignal(cellular[Int(one)], cellular[Int(other)])
        }
        var last = [(level: PowerLevel, technology: UInt8)?](repeating: nil, count: Interface.allCases.count)
        for record in records where record.kind == .residency {
            guard let tag = record.tag(of: .residency),
                legal.indices.contains(Int(tag.interface.rawValue)),
                case let steps = legal[Int(tag.interface.rawValue)], Int(tag.technology) < steps.count
            else { return broken.append("a residency without a radio at \(record.at.secondsText)") }
            let (interface, level) = (tag.interface, tag.level)
            let place = Int(interface.rawValue)
            if let before = last[place], before.level != level, goesOn(before.technology, tag.technology),
                !steps[Int(tag.technology)].allow(before.level, level),
                before.technology == tag.technology || !steps[Int(tag.technology)].allow(.idle, level)
            {
                let technology = world.profiles(of: interface)[Int(tag.technology)].technology
                broken.append("\(technology) from \(before.level) to \(level) at \(record.at.secondsText)")
            }
            last[place] = (level, tag.technology)
        }
    }

    private func isSignal(_ one: RadioProfile, _ other: RadioProfile) -> Bool {
        one != other && one.technology == other.technology && one.machine == other.machine
    }
}
