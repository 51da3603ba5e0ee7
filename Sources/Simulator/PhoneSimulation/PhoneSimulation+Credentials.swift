import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Requests for new credentials: exchanges of their own, outside the app's connections, for servers that have
/// `credentials`. An exchange has a few round trips: TCP, TLS, and the request. A lost packet is sent again after a
/// second, then after twice as long.
extension PhoneSimulation {
    private static let firstRepeat = TimeSpan.seconds(1)

    /// Notifies a process that starts of the credentials that the app has stored.
    mutating func notifyStoredCredentials(_ context: inout WorkerContext) {
        guard let credentials = context.credentials, let rules = server.profile.pointee.credentials else { return }
        credentials.pointee.forgetRefreshes()
        if credentials.pointee.loggedOutSince != .never { return notifyStrategy(.credentials(.refused), &context) }
        let token = AccessToken(issued: credentials.pointee.issued, expires: credentials.pointee.issued + rules.life)
        server.setTokenExpiry(token.expires)
        notifyStrategy(.credentials(.stored(token)), &context)
    }

    mutating func refreshCredentials(byUser: Bool, within timeout: TimeSpan, _ context: inout WorkerContext) {
        let canSend = session.path != nil && networkIsAllowed
        guard canSend, let credentials = context.credentials,
            let place = credentials.pointee.begin(byUser: byUser, at: now, within: timeout)
        else { return notifyStrategy(.credentials(.unanswered), &context) }
        sendRefresh(place, repeatAfter: Self.firstRepeat, &context)
    }

    /// Sends the packet of the present round trip, and schedules the check for its answer.
    private mutating func sendRefresh(_ place: Int, repeatAfter wait: TimeSpan, _ context: inout WorkerContext) {
        guard let credentials = context.credentials, let rules = server.profile.pointee.credentials else { return }
        let refresh = credentials.pointee.refreshes[place]
        var check = PacketInFlight(
            UInt32(refresh.number), location: .awaitingToken, at: min(now + wait, refresh.deadline), slot: 0,
            generation: UInt16(refresh.round))
        check.lag = wait
        packetNetwork.insert(check, &context.packets)
        guard let path = session.path, networkIsAllowed else { return }
        let bytes = Self.share(of: rules.up, round: refresh.round, rules)
        let packet = Packet(
            .tokenRequest, cause: .connect, bytes: bytes, number: refresh.number, first: UInt32(refresh.round),
            stamp: now)
        transmit(
            PacketInFlight(
                at: now, packet: packet, location: .heldByPhone, interface: path, slot: .max, generation: 0,
                epoch: networks.epoch(path)), &context)
    }

    /// The bytes of one round trip: the last one carries half of all, the others share the rest.
    private static func share(of bytes: UInt32, round: UInt8, _ rules: CredentialRules) -> UInt32 {
        guard rules.roundTrips > 1 else { return bytes }
        let isLast = round + 1 == rules.roundTrips
        return max(isLast ? bytes / 2 : bytes / 2 / UInt32(rules.roundTrips - 1), 40)
    }

    /// Checks whether the present round trip of a request was answered; otherwise repeats its packet, or gives up.
    mutating func checkRefresh(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let number = UInt16(truncatingIfNeeded: flight.packet.first)
        guard let credentials = context.credentials, let place = credentials.pointee.place(of: number) else { return }
        if credentials.pointee.refreshes[place].deadline <= now {
            credentials.pointee.refreshes[place].number = 0
            return notifyStrategy(.credentials(.unanswered), &context)
        }
        guard credentials.pointee.refreshes[place].round == UInt8(truncatingIfNeeded: flight.generation) else {
            return
        }
        sendRefresh(place, repeatAfter: flight.lag * 2, &context)
    }

    // MARK: At the server

    mutating func receiveTokenRequest(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard !server.isDown, !server.isFrozen, let rules = server.profile.pointee.credentials,
            let credentials = context.credentials, let place = credentials.pointee.place(of: flight.packet.number)
        else { return }
        let round = UInt8(truncatingIfNeeded: flight.packet.first)
        guard round + 1 == rules.roundTrips else { return answerTokenRequest(flight, &context) }
        guard credentials.pointee.refreshes[place].isReceived else {
            credentials.pointee.refreshes[place].isReceived = true
            return callServer(&context) { $0.receiveTokenRequest(flight.packet.number, at: $1, &$2) }
        }
        // A repeated request: the answer was lost, or is not ready.
        if credentials.pointee.refreshes[place].result != .pending { answerTokenRequest(flight, &context) }
    }

    /// Decides the request, because the server's program has finished it.
    mutating func issueToken(_ flight: PacketInFlight, isServed: Bool, _ context: inout WorkerContext) {
        let number = UInt16(truncatingIfNeeded: flight.packet.first)
        guard let rules = server.profile.pointee.credentials, let credentials = context.credentials,
            let place = credentials.pointee.place(of: number), let path = networks.truePath
        else { return }
        if isServed {
            credentials.pointee.decide(place, rules, at: now)
        } else {
            credentials.pointee.refreshes[place].result = .unavailable
        }
        if credentials.pointee.hasRevoked { server.setTokenExpiry(.zero) }
        if credentials.pointee.refreshes[place].result == .refused { journal(.credentialsRefused, .refresh, &context) }
        let request = Packet(
            .tokenRequest, cause: .connect, bytes: 0, number: number, first: UInt32(rules.roundTrips - 1), stamp: now)
        var answered = flight
        (answered.packet, answered.interface, answered.epoch) = (request, path, networks.epoch(path))
        answerTokenRequest(answered, &context)
    }

    private mutating func answerTokenRequest(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let rules = server.profile.pointee.credentials else { return }
        let round = UInt8(truncatingIfNeeded: flight.packet.first)
        let answer = Packet(
            .tokenResponse, cause: .connect, bytes: Self.share(of: rules.down, round: round, rules),
            number: flight.packet.number, first: flight.packet.first, stamp: now, answering: flight.packet)
        sendDown(answer, slot: nil, over: flight.interface, epoch: flight.epoch, &context)
    }

    // MARK: At the phone

    mutating func receiveTokenResponse(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard networkIsAllowed, let credentials = context.credentials, let rules = server.profile.pointee.credentials,
            let place = credentials.pointee.place(of: flight.packet.number),
            credentials.pointee.refreshes[place].round == UInt8(truncatingIfNeeded: flight.packet.first)
        else { return }
        guard credentials.pointee.refreshes[place].round + 1 == rules.roundTrips else {
            credentials.pointee.refreshes[place].round += 1
            return sendRefresh(place, repeatAfter: Self.firstRepeat, &context)
        }
        let refresh = credentials.pointee.refreshes[place]
        credentials.pointee.refreshes[place].number = 0
        switch refresh.result {
        case .pending, .unavailable: notifyStrategy(.credentials(.unanswered), &context)
        case .issued: storeToken(refresh, rules, &context)
        case .refused: logOut(&context)
        }
    }

    private mutating func storeToken(
        _ refresh: CredentialState.Refresh, _ rules: CredentialRules, _ context: inout WorkerContext
    ) {
        guard let credentials = context.credentials else { return }
        credentials.pointee.stored = refresh.granted
        credentials.pointee.issued = refresh.issued
        let expires = refresh.issued + rules.life
        server.setTokenExpiry(credentials.pointee.hasRevoked ? .zero : expires)
        journal(.credentialsRenewed, value: (now - refresh.begun).nanoseconds, &context)
        endLogout(&context)
        notifyStrategy(.credentials(.renewed(AccessToken(issued: refresh.issued, expires: expires))), &context)
    }

    private mutating func logOut(_ context: inout WorkerContext) {
        guard let credentials = context.credentials else { return }
        credentials.pointee.forgetRefreshes()
        server.setTokenExpiry(.zero)
        if credentials.pointee.loggedOutSince == .never {
            credentials.pointee.loggedOutSince = now
            journal(.loggedOut, &context)
        }
        updateOutage(&context)
        notifyStrategy(.credentials(.refused), &context)
    }

    /// Records the time for which the user was logged out, at its end or at the horizon.
    mutating func endLogout(_ context: inout WorkerContext) {
        guard let credentials = context.credentials, credentials.pointee.loggedOutSince != .never else { return }
        journal(.loggedOutFor, value: (now - credentials.pointee.loggedOutSince).nanoseconds, &context)
        credentials.pointee.loggedOutSince = .never
    }
}
