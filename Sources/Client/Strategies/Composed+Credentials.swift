import DeadzoneBase

/// Credentials of the strategy `composed`: when it gets another token, and what waits for it.
extension Composed {
    /// `true` if the client gets another token when the server refuses the present one.
    func refreshes(_ state: State) -> Bool { (credentials?.refreshesOnRefusal ?? false) && state.credentials.hasToken }

    /// Requests another token.
    func refreshCredentials(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        credentials?.refresh(&state.credentials, &session, &out)
    }

    /// Starts to wait for another token, if the present one has expired by the client's clock. Returns `true` if an
    /// attempt to connect must wait.
    func awaitsToken(_ state: inout State, _ session: inout Session, _ out: inout Outbox) -> Bool {
        guard let credentials, credentials.mustRefresh(state.credentials, session) else { return false }
        state.connect.barrier = .credentials
        refreshCredentials(&state, &session, &out)
        return true
    }

    /// Keeps a call that was refused because of the token until another token has arrived. Returns `false` if the call
    /// was refused before.
    func holdCall(_ call: UInt32, _ state: inout State, _ session: inout Session, _ out: inout Outbox) -> Bool {
        guard refreshes(state), deadlines.hold(call, &state.calls) else { return false }
        refreshCredentials(&state, &session, &out)
        return true
    }

    func credentialsChanged(
        _ change: CredentialsChange, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        guard let credentials else { return }
        switch change {
        case .stored(let token): credentials.received(token, isNew: false, &state.credentials, &session)
        case .renewed(let token):
            credentials.answered(&state.credentials)
            credentials.received(token, isNew: true, &state.credentials, &session)
            let isHeld = connect.reached(.credentials, &state.connect) || connect.reached(.login, &state.connect)
            if isHeld && state.phase == .exhausted { startAttempt(&state, &session, &out) }
            if state.phase == .open { deadlines.opened(state.connection, &state.calls, &session, &out) }
        case .refused:
            credentials.answered(&state.credentials)
            logOut(&state, &session, &out)
        case .unanswered: credentials.unanswered(&state.credentials, &session)
        }
    }

    /// Stays without a connection until the user has logged in again.
    private func logOut(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.flowSlot)
        credentials?.loggedOut(&state.credentials)
        guard state.connect.barrier != .process else { return }
        drop(&state, &session, &out, isDone: true)
        session.disarm(Self.retrySlot)
        state.connect.barrier = .login
        if state.phase != .parked { state.phase = .exhausted }
        deadlines.wentDown(&state.calls, &session, &out)
    }

    /// Lets the user log in, because the app has entered the foreground.
    func logInIfNeeded(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.connect.barrier == .login else { return }
        credentials?.refresh(byUser: true, &state.credentials, &session, &out)
    }
}
