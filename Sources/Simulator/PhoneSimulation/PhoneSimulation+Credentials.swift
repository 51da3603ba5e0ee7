import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Requests for new credentials: carries their packets between `CredentialState` and the server, and notifies the app.
extension PhoneSimulation {
    /// Calls the phone's credentials, and carries out the step that follows. Returns `false` if the server uses none.
    @discardableResult
    mutating func callCredentials(
        _ context: inout WorkerContext,
        _ call: (inout CredentialState, CredentialRules, Instant) -> CredentialState.PhoneStep
    ) -> Bool {
        guard let credentials = context.credentials, let rules = server.profile.pointee.credentials else {
            return false
        }
        switch call(&credentials.pointee, rules, now) {
        case .nothing: break
        case .loaded(let stored):
            if case .stored(let token) = stored { server.setTokenExpiry(credentials.pointee.acceptedUntil(token)) }
            context.client.events.append(.credentials(stored))
        case .send(let trip):
            packetNetwork.insert(PacketInFlight(checking: trip), &context.packets)
            if let path = host.usablePath {
                transmit(
                    PacketInFlight(trip.packet, over: path, addressNumber: networks.addressNumber(path), at: now),
                    &context)
            }
        case .unanswered: context.client.events.append(.credentials(.unanswered))
        case .renewed(let token, let span, let loggedOutFor):
            server.setTokenExpiry(credentials.pointee.acceptedUntil(token))
            journal(.credentialsRenewed, value: span.nanoseconds, &context)
            if let loggedOutFor { journal(.loggedOutFor, value: loggedOutFor.nanoseconds, &context) }
            context.client.events.append(.credentials(.renewed(token)))
        case .refused(let isFirst):
            server.setTokenExpiry(.zero)
            if isFirst { journal(.loggedOut, &context) }
            updateOutage(&context)
            context.client.events.append(.credentials(.refused))
        }
        return true
    }

    /// Decides a request at the server, because its program has finished it. Without a path it is never answered.
    mutating func decideTokenRequest(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let credentials = context.credentials, let path = networks.truePath else { return }
        let address = PhoneAddress(path, addressNumber: networks.addressNumber(path))
        callServer(&context) {
            $0.decideTokenRequest(
                UInt16(truncatingIfNeeded: flight.packet.first), isServed: flight.location == .issuingToken,
                from: address, credentials, at: $1, &$2)
        }
    }
}

extension PacketInFlight {
    /// Creates the queue entry of a check for an answer.
    fileprivate init(checking trip: CredentialState.RoundTrip) {
        self.init(
            at: trip.checkedAt, packet: trip.packet, location: .awaitingToken, interface: .wifi, slot: 0,
            generation: 0, addressNumber: 0)
        lag = trip.wait
    }
}
