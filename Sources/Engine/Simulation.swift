public import DeadzoneClient
public import DeadzoneJournal
import DeadzoneLane
import DeadzonePrimitives
public import DeadzoneWorld

/// One strategy in one world under one seed, beside those that groups of its phones have of their own. Records go to the recorder;
/// nothing else comes out.
///
/// Phones that do not meet run one after the other to the horizon, each hot in the cache; any split of the population over
/// recorders gives the same once they are merged. Phones that meet at a server run side by side in rounds.
public struct Simulation: Sendable {
    public let world: World
    public let strategy: AnyStrategy
    /// By group of the world: what its phones run instead. Empty: all run the one above.
    public let own: [AnyStrategy?]
    public let seed: UInt64

    public init(world: World, strategy: AnyStrategy, own: [AnyStrategy?] = [], seed: UInt64) {
        precondition(own.isEmpty || own.count == world.groups.count, "\(own.count) of \(world.groups.count) groups")
        self.world = world
        self.strategy = strategy
        self.own = own
        self.seed = seed
    }

    /// What these phones run.
    func strategy(of part: World.Part) -> AnyStrategy {
        (own.isEmpty ? nil : own[part.group]) ?? strategy
    }

    /// Parts of the population that can run at the same time, in order: one if the phones meet.
    public func blocks(of size: Int = 1_024) -> [Range<UInt32>] {
        guard !world.isCoupled else { return [0..<UInt32(world.phones)] }
        return stride(from: 0, to: world.phones, by: size).map { first in
            UInt32(first)..<UInt32(min(first + size, world.phones))
        }
    }

    /// Runs these phones.
    /// - Parameter isCancelled: Looked at now and then; when true the run ends early and what was recorded is incomplete.
    public func run<R: Recorder>(
        _ phones: Range<UInt32>, into recorder: inout R, isCancelled: () -> Bool = { false }
    ) {
        if world.isCoupled {
            withUnsafeMutablePointer(to: &recorder) { recorder in
                let recorders = UnsafeMutableBufferPointer(start: recorder, count: 1)
                runInRounds(phones, into: recorders, by: NoHelpers(), isCancelled)
            }
        } else {
            withoutActuallyEscaping({ recorder.record($0) }) { record in
                for part in world.parts(of: phones) {
                    let stage = Stage(
                        world: part.world, firstChange: part.firstChange, seed: seed,
                        strategy: strategy(of: part), journal: JournalBuffer(record))
                    runOneByOne(part.phones, stage, isCancelled)
                }
            }
        }
    }

    /// Runs all phones, which meet, on several threads: about as many of them into each recorder. How many there are cannot show
    /// in what they come to once they are merged.
    public func run<R: Recorder>(
        into recorders: inout [R], by helpers: some Helpers, isCancelled: () -> Bool = { false }
    ) {
        precondition(world.isCoupled && !recorders.isEmpty, "phones that do not meet run by blocks")
        recorders.withUnsafeMutableBufferPointer {
            runInRounds(0..<UInt32(world.phones), into: $0, by: helpers, isCancelled)
        }
    }

    private func runOneByOne(_ phones: Range<UInt32>, _ stage: consuming Stage, _ isCancelled: () -> Bool) {
        for index in phones {
            if isCancelled() { break }
            let phone = PhoneID(index)
            stage.begin(phone)
            var lane = Lane(phone: phone, stage: stage, on: stage.seat.surveyor)
            lane.start(&stage)
            lane.run(until: world.horizon, &stage, isCancelled: isCancelled)
            // A phone in the middle of its day cannot be brought to an end, and no one will read it.
            if isCancelled() { break }
            lane.finish(at: world.horizon, &stage)
            lane.landAll(&stage)
        }
        stage.journal.flush()
    }
}
