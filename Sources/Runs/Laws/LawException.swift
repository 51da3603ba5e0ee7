/// Why a strategy that breaks a law is shipped all the same: people run what it is modelled on.
enum LawException: Equatable {
    /// Its reconnects, if any, end after some failures: it need not be connected when all is well.
    case leavesItToTheApp
    /// This sentence is found, for this reason.
    case breaks(String, why: String)

    /// By the name of the strategy.
    static let all: [String: LawException] = [
        "article-grpc-kotlin": .breaks(
            "not connected",
            why: "its deadline of 120 s ends the stream, and the loop asks again after UNAVAILABLE alone"),
        "article-grpc-swift": .breaks(
            "the app ends itself", why: "2^n overflows at attempt 55, and Swift traps where the article computes it"),
        "discord.py": .breaks("not connected", why: "it waits for up to 1,024 s"),
        "graphql-ws": .leavesItToTheApp,
        "nats": .leavesItToTheApp,
        "nats-py": .leavesItToTheApp,
        "okhttp-websocket": .leavesItToTheApp,
        "realtime-py": .leavesItToTheApp,
        "signalr": .leavesItToTheApp,
        "slack-socket-mode": .breaks(
            "not connected", why: "each wait for an address is 1.3 times the one before, without a cap"),
        "websocket-naive": .breaks("more than", why: "it connects again at once, a hundred times a second"),
    ]
}
