package import DeadzoneBase
package import DeadzoneClient

/// The simulation of one strategy in one simulated environment (world) with one seed.
///
/// Groups of phones may run strategies of their own. The only output is the records passed to the recorder.
///
/// Uncoupled phones run one after the other to the horizon, each hot in the cache. Any split of the population over
/// recorders gives the same result once they are merged. Phones that share a server run side by side in sync windows.
package struct Simulation: Sendable {
    package let world: World
    package let strategy: AnyStrategy
    /// The strategy of each population group; `nil` for groups that run `strategy`. An empty array means that all
    /// groups do.
    package let groupStrategies: [AnyStrategy?]
    package let seed: UInt64
    package var memory = PhoneMemory.compact

    package init(world: World, strategy: AnyStrategy, groupStrategies: [AnyStrategy?] = [], seed: UInt64) {
        precondition(
            groupStrategies.isEmpty || groupStrategies.count == world.groups.count,
            "\(groupStrategies.count) of \(world.groups.count) groups")
        self.world = world
        let hasStreams = world.server.streams != nil
        func serving(_ strategy: AnyStrategy) -> AnyStrategy {
            hasStreams ? strategy.subscribing() ?? strategy : strategy
        }
        self.strategy = serving(strategy)
        self.groupStrategies = groupStrategies.map { $0.map(serving) }
        self.seed = seed
    }

    /// Returns the strategy of the phones in this slice: the strategy of their group, or the common one.
    func strategy(of part: World.GroupSlice) -> AnyStrategy {
        (groupStrategies.isEmpty ? nil : groupStrategies[part.group]) ?? strategy
    }

    /// The blocks of the world's phones.
    package func blocks(of size: Int = World.blockSize) -> [Range<UInt32>] { world.blocks(of: size) }

    /// Simulates the phones of this index range until the horizon.
    /// - Parameter isCancelled: Checked at intervals. If it returns `true`, the run ends early and the records are
    ///   incomplete.
    package func run<R: Recorder>(
        _ phones: Range<UInt32>, into recorder: inout R, isCancelled: () -> Bool = { false }
    ) {
        if world.isCoupled {
            withUnsafeMutablePointer(to: &recorder) { recorder in
                let recorders = UnsafeMutableBufferPointer(start: recorder, count: 1)
                runInSyncWindows(phones, into: recorders, by: SerialFor(), isCancelled)
            }
        } else {
            withoutActuallyEscaping({ recorder.record($0) }) { record in
                for part in world.slices(of: phones) {
                    let context = WorkerContext(
                        world: part.world, firstChange: part.firstChange, seed: seed,
                        strategy: strategy(of: part), journal: JournalBuffer(record))
                    runOneByOne(part.phones, context, isCancelled)
                }
            }
        }
    }

    /// Simulates all coupled phones on several threads. Each recorder receives the records of a similar number of
    /// phones. The number of recorders does not affect the merged result.
    package func run<R: Recorder>(
        into recorders: inout [R], by parallelFor: some ParallelFor, isCancelled: () -> Bool = { false }
    ) {
        precondition(world.isCoupled && !recorders.isEmpty, "phones that do not meet run by blocks")
        recorders.withUnsafeMutableBufferPointer {
            runInSyncWindows(0..<UInt32(world.phones), into: $0, by: parallelFor, isCancelled)
        }
    }

    private func runOneByOne(_ phones: Range<UInt32>, _ context: consuming WorkerContext, _ isCancelled: () -> Bool) {
        for index in phones {
            if isCancelled() { break }
            let phone = PhoneID(index)
            context.beginPhone(phone)
            let allocator = memory == .compact ? context.phoneSlot.allocator : nil
            var simulation = PhoneSimulation(phone: phone, context: context, in: allocator)
            simulation.start(&context)
            simulation.run(until: world.horizon, &context, isCancelled: isCancelled)
            // Skip the final accounting of a cancelled phone: its records are not used.
            if isCancelled() { break }
            simulation.finish(at: world.horizon, &context)
            simulation.releasePackets(&context)
        }
        context.journal.flush()
    }
}

extension World {
    package static let blockSize = 1_024

    /// Splits all phones into blocks of at most `size` phones that can run in parallel, in order. Coupled phones form a
    /// single block.
    package func blocks(of size: Int = Self.blockSize) -> [Range<UInt32>] {
        guard !isCoupled else { return [0..<UInt32(phones)] }
        return stride(from: 0, to: phones, by: size).map { UInt32($0)..<UInt32(min($0 + size, phones)) }
    }
}
