import DeadzoneLaws

/// A known reason why a shipped strategy violates an invariant that strategies should keep (a law). The strategy is
/// shipped anyway, because people use the library that it models.
enum KnownLawViolation: Equatable {
    /// The library gives up after some failures or never reconnects. Being connected under good conditions is the
    /// app's task.
    case appReconnects
    /// The violation that is expected (a part of its description), and the reason.
    case breaks(String, why: String)

    /// Exceptions by strategy name.
    static let all: [String: KnownLawViolation] = [
        "article-grpc-kotlin": .breaks(
            "not connected",
            why: "its deadline of 120 s ends the stream, and the loop retries only after UNAVAILABLE"),
        "article-grpc-swift": .breaks(
            "the app crashes", why: "2^n overflows at attempt 55, and Swift traps on the overflow"),
        "discord.py": .breaks("not connected", why: "it waits for up to 1,024 s"),
        "graphql-ws": .appReconnects,
        "nats": .appReconnects,
        "nats-py": .appReconnects,
        "okhttp-websocket": .appReconnects,
        "realtime-py": .appReconnects,
        "signalr": .appReconnects,
        "slack-socket-mode": .breaks(
            "not connected", why: "each wait for an address is 1.3 times the last one, without a cap"),
        "websocket-naive": .breaks("more than", why: "it reconnects immediately, a hundred times a second"),
    ]
}

/// A known reason why a shipped strategy waits for an answer without a bound of its own: the library that it models
/// leaves that to the system.
struct UnboundedWait: Equatable {
    enum MissingAnswer { case attempt, ping }

    let answer: MissingAnswer
    let why: String

    /// Switches the law off that the strategy is known to break.
    func allow(in laws: inout StrategyLaws) {
        switch answer {
        case .attempt: laws.attemptTimeout = nil
        case .ping: laws.pingTimeout = nil
        }
    }

    private static func attempt(_ why: String) -> UnboundedWait { UnboundedWait(answer: .attempt, why: why) }
    private static func ping(_ why: String) -> UnboundedWait { UnboundedWait(answer: .ping, why: why) }

    /// Exceptions by strategy name.
    static let all: [String: [UnboundedWait]] = [
        "actioncable": [attempt("it leaves a connecting socket alone, and the kernel ends the attempt")],
        "eager": [
            attempt("it has no timeouts of its own, and the kernel ends the attempt"), ping("it waits for no pong"),
        ],
        "firebase-rtdb": [ping("the server does not answer its keepalive, and the client waits for no pong")],
        "graphql-ws": [attempt("it waits for connection_ack without a limit, and the kernel ends unanswered attempts")],
        "grpc-android-okhttp": [attempt("the wait for the server's SETTINGS has no timeout")],
        "grpc-java": [attempt("the wait for the server's SETTINGS has no timeout")],
        "nats": [attempt("its limits, `address-timeout` and `setup-timeout`, are those of the connection")],
        "nats-py": [attempt("its limits, `address-timeout` and `setup-timeout`, are those of the connection")],
        "paho-java": [attempt("an accepted attempt without an answer has no time limit")],
        "phoenix": [attempt("its timeout covers pushes only, and the kernel ends the attempt")],
        "slixmpp": [
            attempt("an attempt has no time limit, and the kernel ends it"),
            ping("its keepalive is a space without an answer"),
        ],
        "supabase-realtime": [attempt("its timeout covers pushes only, and the kernel ends the attempt")],
    ]
}
