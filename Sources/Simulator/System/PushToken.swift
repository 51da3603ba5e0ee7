import DeadzoneBase

/// The push token that names an app to the push service: whether the app knows it, and whether the server does.
struct PushToken: BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        /// The server has the token of the app.
        case valid
        /// The server's token is void, and the app does not know it yet.
        case void
        /// The app knows its new token; the server does not.
        case changed
        /// The app sends its new token as soon as it has a network.
        case toSend
        case onItsWay
    }

    /// Size in bytes of the request with which the app sends its push token, with TLS set-up (assumed). The answer
    /// and the TLS flights are not simulated separately.
    static let registrationBytes: UInt32 = 1_500

    private(set) var state = State.valid
    private var voidSince = Instant.never

    /// Makes the token void. Returns `false` if it is void already.
    mutating func end(at now: Instant) -> Bool {
        guard change(from: .valid, to: .void) else { return false }
        voidSince = now
        return true
    }

    /// The app runs, so that the system can notify it of its new token. Returns `true` if the app does not know it yet.
    mutating func announce() -> Bool { change(from: .void, to: .changed) }

    /// The app wants to send its new token. Returns `false` if it has none, or sends it already.
    mutating func register() -> Bool { change(from: .void, to: .toSend) || change(from: .changed, to: .toSend) }

    /// Sends the new token. Returns `false` if the app does not want to.
    mutating func send() -> Bool { change(from: .toSend, to: .onItsWay) }

    /// The request with the token is lost, and has to be sent again. Returns `false` if there was none.
    mutating func lose() -> Bool { change(from: .onItsWay, to: .toSend) }

    /// The server receives the new token. Returns `false` if none was on its way.
    mutating func receive() -> Bool { change(from: .onItsWay, to: .valid) }

    /// The process that wanted to send its token is gone. The system notifies the next one again (assumed).
    mutating func forget() {
        if state == .changed || state == .toSend { state = .void }
    }

    /// The time since which the server has had no valid token; `nil` if it has one.
    func voidTime(at now: Instant) -> TimeSpan? { state == .valid ? nil : now - voidSince }

    private mutating func change(from old: State, to new: State) -> Bool {
        guard state == old else { return false }
        state = new
        return true
    }
}
