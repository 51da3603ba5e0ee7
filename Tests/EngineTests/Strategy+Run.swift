import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

extension Strategy {
    func run(_ world: World, seed: UInt64 = 1) -> AllRecords {
        Simulation(world: world, strategy: AnyStrategy(self), seed: seed).allRecords()
    }
}

extension AllRecords {
    /// Times of the records of this kind, in milliseconds.
    func times(_ kind: RecordKind) -> [Int64] {
        records.filter { $0.kind == kind }.map { $0.at.nanoseconds / 1_000_000 }
    }

    func tags(_ kind: RecordKind) -> [UInt16] { records.filter { $0.kind == kind }.map(\.tag) }

    /// Number of packets on the air in one direction for one cause.
    func packets(_ direction: Direction, _ cause: Cause) -> Int {
        records.count {
            guard let tag = $0.tag(of: .bytes) else { return false }
            return tag.direction == direction && tag.cause == cause
        }
    }
}

extension Fixture {
    /// A world with Wi-Fi from the start.
    static func wifiWorld(_ traffic: Traffic = Traffic(), horizon: TimeSpan) -> World {
        World(
            horizon: .zero + horizon, wifi: wifi, wifiLink: link(delay: .milliseconds(20)),
            timeline: [TimelineEntry(at: .zero, .pathUp(.wifi, .plain))], traffic: traffic)
    }
}

extension [Int64] {
    /// The elements other than these moments. Records an issue if one of the moments is missing.
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
