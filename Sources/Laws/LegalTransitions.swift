import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneWorld

extension WorldLaws {
    /// Radios step as their diagrams say.
    func checkTransitions(_ world: World, _ broken: inout [String]) {
        let legal = [Interface.cellular, .wifi].map { world.profiles(of: $0).map(LegalSteps.init) }
        let cellular = world.profiles(of: .cellular)
        // A radio that becomes another technology begins there anew; one whose signal weakens goes on.
        func goesOn(_ one: UInt8, _ other: UInt8) -> Bool {
            one == other || isSignal(cellular[Int(one)], cellular[Int(other)])
        }
        var last: [Interface: (level: PowerLevel, technology: UInt8)] = [:]
        for record in records where record.kind == .residency {
            guard let tag = record.tag(of: .residency),
                case let steps = legal[tag.interface == .cellular ? 0 : 1], Int(tag.technology) < steps.count
            else { return broken.append("a residency of no radio at \(record.at)") }
            let (interface, level) = (tag.interface, tag.level)
            if let before = last[interface], before.level != level, goesOn(before.technology, tag.technology),
                !steps[Int(tag.technology)].allow(before.level, level)
            {
                let technology = world.profiles(of: interface)[Int(tag.technology)].technology
                broken.append("\(technology) from \(before.level) to \(level) at \(record.at)")
            }
            last[interface] = (level, tag.technology)
        }
    }

    private func isSignal(_ one: RadioProfile, _ other: RadioProfile) -> Bool {
        one != other && one.technology == other.technology && one.machine == other.machine
    }
}
