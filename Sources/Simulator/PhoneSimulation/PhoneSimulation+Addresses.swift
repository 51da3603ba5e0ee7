import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's address: connections to an address that the server has left never work again.
///
/// The server is not notified that it has moved. Its ends of such connections stay until its own timers close them.
extension PhoneSimulation {
    /// `true` if the slot's connection, or the last one, is to an address that the server has left, or that its network
    /// does not reach.
    @inline(__always)
    func isAtOldAddress(_ slot: Int, _ context: borrowing WorkerContext) -> Bool {
        serverLocation.address > 0
            && serverLocation.isOld(
                phoneEnd[slot].address, over: phoneEnd[slot].interface, context.resolverOfNetworks)
    }

    /// Moves the server to another address. The change concerns every phone, so it always takes effect.
    mutating func moveServer(leaving oldAddress: OldAddress, _ context: inout WorkerContext) -> Bool {
        serverLocation.move(leaving: oldAddress)
        for slot in Self.slots { connectionTruths[slot].abandoned = nil }
        reassess(&context)
        return true
    }

    /// Gives the server's name the present address. Answers that a phone has cached do not change.
    mutating func updateName(_ context: inout WorkerContext) -> Bool {
        guard serverLocation.updateName() else { return false }
        reassess(&context)
        return true
    }

    /// `true` if the packet of a connection is to or from an address that the server has left, or that the packet's
    /// network does not reach.
    @inline(__always)
    func isToOldAddress(_ flight: PacketInFlight, _ context: borrowing WorkerContext) -> Bool {
        guard serverLocation.address > 0, Self.slots.contains(Int(flight.slot)) else { return false }
        return serverLocation.isOld(
            phoneEnd.address(Int(flight.slot), generation: flight.generation), over: flight.interface,
            context.resolverOfNetworks)
    }

    /// Handles a packet that reached the address that the server has left, or no host of this address.
    @inline(never)
    mutating func receiveAtOldAddress(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let slot = Int(flight.slot)
        let address = phoneEnd.address(slot, generation: flight.generation)
        guard serverLocation.isReset(address, context.resolverOfNetworks), flight.packet.content != .reset,
            !phoneEnd[slot].isUDP, phoneEnd[slot].generation == flight.generation
        else { return drop(flight, &context) }
        sendReset(slot, answering: flight.packet, &context)
    }

    // MARK: The client's library

    /// The library's decision about an attempt to connect.
    func chooseAddress(_ context: inout WorkerContext) -> NamePolicy.AddressChoice {
        guard let names = context.names, let policy = context.strategy.names else { return .ask(orElse: nil) }
        // The address in the app is the server's public one at the beginning.
        if policy.family == .literal { return .use(ServerLocation.first(context.addressesDependOnNetwork)) }
        return policy.choose(&names.pointee, at: now)
    }

    /// Fails to resolve the name, because the phone has no network. A library that has the address does not ask.
    func resolveOffline(_ context: inout WorkerContext) {
        guard let names = context.names, let policy = context.strategy.names, policy.family != .literal else { return }
        // No attempt is made, so none is counted.
        var copy = names.pointee
        guard case .ask = policy.choose(&copy, at: now) else { return }
        policy.unresolved(&names.pointee, at: now)
    }

    /// Keeps the system's answer, or its absence.
    func keepResult(_ result: PhoneEndEffect, _ context: inout WorkerContext) {
        guard let names = context.names, let policy = context.strategy.names else { return }
        if case .nameAnswered(let address) = result {
            policy.answered(address, &names.pointee, at: now)
        } else {
            policy.unresolved(&names.pointee, at: now)
        }
    }

    /// Notes that a connection to the kept address has opened.
    func keepOpenedAddress(_ context: inout WorkerContext) {
        if let names = context.names { context.strategy.names?.opened(&names.pointee) }
    }

    /// Forgets everything that a process has kept, because another one starts.
    func forgetNames(_ context: inout WorkerContext) { context.names?.pointee = NamePolicy.State() }

    /// The timeline change that moved the server last; `nil` if it never moved.
    func latestMove(_ context: borrowing WorkerContext) -> UInt16? {
        let world = context.world
        // While a change is applied, it is still the next one.
        let end = Int(nextChange.index) + (nextChange.at <= now ? 1 : 0)
        let last = (0..<end).last {
            guard $0 < world.timeline.count, case .serverMoved = world.timeline[$0].change else { return false }
            return true
        }
        return last.map { UInt16(clamping: context.firstChange + $0) }
    }
}
