import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// Applies the effects of `Networks` in order, and the timeline's network changes.
extension PhoneSimulation {
    mutating func applyNetworksEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.networks[index] {
        case .note(let note): write(note, &context)
        case .notifyApp(let change):
            if change.kind == .available || (change.kind == .lost && change.now == nil) {
                callHost(&context) {
                    $0.system?.pointee.defaultNetworkChanged(isLost: change.kind == .lost, at: $1, &$2)
                }
            }
            context.client.events.append(.network(change))
        case .attached(let interface):
            packetNetwork.join(
                interface, hasCoverage: networks.hasCoverage(interface), at: now, &context.packets)
        case .detached(let interface):
            callPacketNetwork(&context) { $0.leave(interface, at: $1, &$3) }
        case .endSockets(let interface, let address, let lossSignal, let isReplaced):
            closeSockets(on: interface, of: address, lossSignal, isReplaced: isReplaced, &context)
        // Connections that use the system's framework streams end with their path.
        case .endStreams:
            for slot in Self.slots
            where phoneEnd[slot].transport.socketAPI == .framework && !phoneEnd.isOnDefaultPath(slot, sessionView) {
                closeByError(slot, &context)
            }
        }
    }

    /// Executes all scheduled actions of the operating system or a network that are due now.
    mutating func advanceNetworks(_ context: inout WorkerContext) {
        for interface in networks.interfaces {
            for action in Networks.PendingAction.allCases {
                callNetworks(&context) { $0.advance(action, of: interface, at: $1, &$2) }
            }
        }
        updateAfterNetworkChange(&context)
    }

    /// Updates everything that depends on network conditions: scheduled actions of the system, the true state of
    /// connections, and a pending push. Call it after any change.
    mutating func updateAfterNetworkChange(_ context: inout WorkerContext) {
        networks.reschedule(at: now)
        cachedWeather = .unknown
        if packetNetwork.tunnel != nil {
            callPacketNetwork(&context) { [packetSender] in $0.followDefaultNetwork(packetSender, $2, &$3) }
            packetNetwork.updateTunnelPeriod(at: now, networks, &context.packets)
        }
        reassess(&context)
        advancePushes(&context)
    }

    /// Closes the sockets of a network that is gone; if `address` is set, only the sockets bound to that address.
    private mutating func closeSockets(
        on interface: Interface, of address: UInt16?, _ lossSignal: PathLossSignal, isReplaced: Bool,
        _ context: inout WorkerContext
    ) {
        // A socket in the tunnel is bound to the tunnel's address.
        guard !context.packets.tunnelCarriesApp else { return }
        for slot in Self.slots where phoneEnd[slot].interface == interface && !phoneEnd[slot].canMigrate {
            if let address, phoneEnd[slot].addressNumber != address { continue }
            let signal = context.pathRules[0].pointee.signal(
                lossSignal, to: phoneEnd[slot].transport.socketAPI, isReplaced: isReplaced,
                isForeground: host.session.isForeground)
            switch signal {
            case .error: closeByError(slot, &context)
            case .silent, .halfOpen: break
            case .reset: closeByPeer(slot, .reset, &context)
            case .ended: closeByPeer(slot, .ended, &context)
            }
        }
    }
}
