import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

extension Strategy {
    func run(_ world: World, seed: UInt64 = 1) -> Everything {
        Simulation(world: world, strategy: AnyStrategy(self), seed: seed).everything()
    }
}

extension Everything {
    /// When records of this kind were written, in milliseconds.
    func times(_ kind: Kind) -> [Int64] {
        records.filter { $0.kind == kind }.map { $0.at.nanoseconds / 1_000_000 }
    }

    func tags(_ kind: Kind) -> [UInt16] { records.filter { $0.kind == kind }.map(\.tag) }

    /// Packets on the air in one direction for one cause.
    func packets(_ direction: Direction, _ cause: Cause) -> Int {
        records.count {
            guard let tag = $0.tag(of: .bytes) else { return false }
            return tag.direction == direction && tag.cause == cause
        }
    }
}

extension Fixture {
    /// Wi-Fi from the start.
    static func wifiWorld(_ traffic: Traffic = Traffic(), horizon: TimeSpan) -> World {
        World(
            horizon: .zero + horizon, wifi: wifi, wifiLink: link(delay: .milliseconds(20)),
            timeline: [TimelineEntry(at: .zero, .pathUp(.wifi, .plain))], traffic: traffic)
    }
}

extension [Int64] {
    /// What is here beside these moments, each of which has to be here.
    func beyond(_ moments: [Int64]) -> [Int64] {
        var rest = self
        for moment in moments {
            guard let place = rest.firstIndex(of: moment) else {
                Issue.record("nothing happens at \(moment) any more")
                return []
            }
            rest.remove(at: place)
        }
        return rest
    }
}
