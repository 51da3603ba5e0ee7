/// Strategies that break a law, and are shipped because people run what they are modelled on.
enum Exceptions: Equatable {
    /// Its reconnects, if any, end after some failures: it need not be connected when all is well.
    case leavesItToTheApp
    /// This sentence is found, for this reason.
    case breaks(String, why: String)

    static let all: [String: Exceptions] = [
        "article-grpc-kotlin": .breaks(
            "not connected",
            why: "its deadline of 120 s ends the stream, and the loop asks again after UNAVAILABLE alone"),
        "article-grpc-swift": .breaks(
            "the app ends itself", why: "2^n overflows at attempt 55, and Swift traps where the article computes it"),
        "graphql-ws": .leavesItToTheApp,
        "nats": .leavesItToTheApp,
        "okhttp-websocket": .leavesItToTheApp,
        "signalr": .leavesItToTheApp,
        "websocket-naive": .breaks("more than", why: "it connects again at once, a hundred times a second"),
    ]
}
