import DeadzoneBase

/// The memory of the simulated phones of one worker: one phone is active, the others wait for their next event.
///
/// A waiting phone is either resident in a memory block of its own or delta-encoded in a store. All phones have the
/// same world and the same strategy.
struct ResidentSet: ~Copyable {
    /// Maximum number of phones for which each phone keeps a memory block of its own (some megabytes in total). Larger
    /// sets store waiting phones delta-encoded. Storing and loading a phone takes longer than accessing it in place.
    static let maxResident = 1_024

    /// The worker's data that all its phones share.
    var context: WorkerContext
    /// Index of the active phone in this set; `nil` if no phone is active.
    private var active: Int?
    /// With plain memory or at most `maxResident` phones: the memory block of each phone, `nil` if the phone does not
    /// exist. Empty otherwise.
    private var ownSlots: [PhoneSlot?]
    private var hasOwnSlots: Bool { !ownSlots.isEmpty }
    /// The waiting phones, delta-encoded, if they have no block of their own. The active phone is in a shared memory
    /// block then.
    private var store: DeltaStore

    private let memory: PhoneMemory

    init(_ context: consuming WorkerContext, phones: Int, memory: PhoneMemory = .compact) {
        self.context = context
        self.memory = memory
        let isStored = memory == .compact && phones > Self.maxResident
        ownSlots = isStored ? [] : Array(repeating: nil, count: phones)
        store = DeltaStore(count: isStored ? phones : 0, kinds: PhoneSlot.similarityClassCount)
    }

    deinit {
        // After a cancelled run: destroy the active phone first, before another is loaded into its block.
        for case let phoneSlot? in ownSlots {
            phoneSlot.simulation.deinitialize(count: 1)
            phoneSlot.deallocate()
        }
        guard !hasOwnSlots else { return }
        if active != nil { context.phoneSlot.simulation.deinitialize(count: 1) }
        for place in 0..<store.count where store.contains(place) && active != place {
            store.decompress(place, in: context.phoneSlot.words)
            context.phoneSlot.simulation.deinitialize(count: 1)
        }
    }

    /// `true` if the phone at this index exists already, active or waiting for its next event.
    func hasStarted(_ place: Int) -> Bool {
        hasOwnSlots ? ownSlots[place] != nil : active == place || store.contains(place)
    }

    /// Creates the simulation of a phone and makes it the active one.
    /// - Parameter place: The phone's index in this set.
    mutating func begin(_ phone: PhoneID, place: Int) -> UnsafeMutablePointer<PhoneSimulation> {
        storeActive()
        store.invalidateImage()
        if hasOwnSlots {
            let phoneSlot = context.newSlot(like: ownSlots.lazy.compactMap { $0 }.first)
            ownSlots[place] = phoneSlot
            context.switchSlot(to: phoneSlot)
        }
        context.beginPhone(phone)
        let phoneSlot = context.phoneSlot
        let allocator = memory == .compact ? phoneSlot.allocator : nil
        phoneSlot.simulation.initialize(to: PhoneSimulation(phone: phone, context: context, in: allocator))
        active = place
        return phoneSlot.simulation
    }

    /// Makes a phone the active one and returns it. Decompresses it first if it is delta-encoded.
    /// - Parameter place: The phone's index in this set.
    mutating func activate(to phone: PhoneID, place: Int) -> UnsafeMutablePointer<PhoneSimulation> {
        context.switchPhone(to: phone)
        guard active != place else { return context.phoneSlot.simulation }
        storeActive()
        active = place
        if hasOwnSlots {
            guard let its = ownSlots[place] else { preconditionFailure("phone \(place) has no memory block") }
            context.switchSlot(to: its)
        } else {
            store.decompress(place, in: context.phoneSlot.words)
            context.restorePackets()
        }
        return context.phoneSlot.simulation
    }

    /// Destroys the active phone, which has finished.
    mutating func removeActive() {
        guard let place = active else { return }
        active = nil
        let phoneSlot = context.phoneSlot
        phoneSlot.simulation.deinitialize(count: 1)
        guard hasOwnSlots else { return store.remove(place) }
        ownSlots[place] = nil
        context.switchSlot(to: nil)
        phoneSlot.deallocate()
    }

    private mutating func storeActive() {
        guard let place = active else { return }
        active = nil
        guard !hasOwnSlots else { return }
        context.storePackets()
        let phoneSlot = context.phoneSlot
        store.compress(
            place, phoneSlot.words, words: phoneSlot.wordCount, kind: phoneSlot.similarityClass,
            at: phoneSlot.simulation.pointee.now)
    }

    /// Bytes that a waiting phone occupies in the delta store; 0 if it has a memory block of its own.
    mutating func bytes(_ place: Int) -> Int {
        storeActive()
        return hasOwnSlots ? 0 : store.storedBytes(of: place)
    }
}
