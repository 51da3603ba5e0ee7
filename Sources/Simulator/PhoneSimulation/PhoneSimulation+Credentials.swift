import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Requests for new credentials: carries their packets between `CredentialState` and the server, and notifies the app.
extension PhoneSimulation {
    /// Notifies a process that starts of the credentials that the app has stored.
    mutating func notifyStoredCredentials(_ context: inout WorkerContext) {
        guard let credentials = context.credentials, let rules = server.profile.pointee.credentials else { return }
        let change = credentials.pointee.load(rules)
        if case .stored(let token) = change { server.setTokenExpiry(credentials.pointee.acceptedUntil(token)) }
        context.client.events.append(.credentials(change))
    }

    mutating func refreshCredentials(byUser: Bool, within timeout: TimeSpan, _ context: inout WorkerContext) {
        guard host.session.path != nil, host.networkIsAllowed, let credentials = context.credentials,
            let rules = server.profile.pointee.credentials
        else { return context.client.events.append(.credentials(.unanswered)) }
        apply(credentials.pointee.begin(byUser: byUser, rules, at: now, within: timeout), &context)
    }

    /// Checks if a packet of a request was answered.
    mutating func checkRefresh(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let credentials = context.credentials, let rules = server.profile.pointee.credentials else { return }
        apply(credentials.pointee.check(flight.packet, after: flight.lag, rules, at: now), &context)
    }

    mutating func receiveTokenResponse(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard host.networkIsAllowed, let credentials = context.credentials,
            let rules = server.profile.pointee.credentials
        else { return }
        apply(credentials.pointee.receive(flight.packet, rules, at: now), &context)
    }

    private mutating func apply(_ step: CredentialState.PhoneStep, _ context: inout WorkerContext) {
        guard let credentials = context.credentials else { return }
        switch step {
        case .nothing: break
        case .send(let trip):
            packetNetwork.insert(PacketInFlight(checking: trip), &context.packets)
            if let path = host.session.path, host.networkIsAllowed {
                transmitSystemPacket(trip.packet, over: path, &context)
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
    }

    /// Decides a request at the server, because its program has finished it. Without a path it is never answered.
    mutating func decideTokenRequest(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let credentials = context.credentials, let path = networks.truePath else { return }
        let address = PhoneAddress(path, epoch: networks.epoch(path))
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
            generation: 0, epoch: 0)
        lag = trip.wait
    }
}
