import DeadzoneBase
import Testing

@Test(
    arguments: [
        ("su", ["us", "ms"], "us"),
        ("intervall", ["timeout", "interval"], "interval"), ("itnerval", ["interval"], "interval"),
        ("inter", ["interval"], "interval"),
        ("PING", ["ping", "pong"], "ping"), ("every", ["delay", "size"], nil), ("", ["a"], nil),
        ("at", ["on", "at"], "at"),
        ("xy", ["ab"], nil), ("bakoff", ["backoff", "base"], "backoff"),
        (String(repeating: "a", count: 100), ["a"], nil),
        ("http3", ["http2", "quic"], "quic"), ("http3", ["http2"], "http2"),
        ("energy", ["battery.joules"], "battery.joules"),
    ] as [(String, [String], String?)])
func theNearestKnownWordIsSuggested(_ word: String, _ known: [String], _ expected: String?) {
    // Broken if a misspelt key gets a far-fetched suggestion, or none although a known key is two edits away.
    #expect(suggestion(for: word, among: known) == expected)
}
