import DeadzoneHost
import Testing

struct LoopbackGuardTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private static let launchKey = "fedcba9876543210fedcba9876543210"
    private static let own = [
        "Host": "127.0.0.1:4000", "Origin": "http://127.0.0.1:4000", "X-Deadzone": token,
        "Content-Type": "application/json",
    ]

    private func refusal(_ method: String, _ fields: [String: String?]) throws -> HTTPStatus? {
        let lines = fields.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.sorted().joined()
        var parser = HTTPRequestParser { _, _ in nil }
        let step = parser.feed(Array("\(method) /api/run HTTP/1.1\r\n\(lines)Content-Length: 0\r\n\r\n".utf8))
        guard case .complete(let request) = step else {
            Issue.record("\(lines) is no request")
            return nil
        }
        return LoopbackGuard(port: 4_000, token: Self.token, launchKey: Self.launchKey).refusal(request)
    }

    @Test func answersItsOwnPage() throws {
        // Broken: the page itself is refused.
        #expect(try refusal("POST", Self.own) == nil)
        #expect(try refusal("POST", Self.own.merging(["Sec-Fetch-Site": "same-origin"]) { $1 }) == nil)
        #expect(try refusal("POST", Self.own.merging(["Content-Type": "application/octet-stream"]) { $1 }) == nil)
        #expect(try refusal("GET", ["Host": "127.0.0.1:4000", "Sec-Fetch-Site": "none"]) == nil)
    }

    @Test func itsNameIsItsAddress() throws {
        // Broken: a user types localhost and is refused, or a page of one name uses the other one.
        let named = Self.own.merging(["Host": "localhost:4000", "Origin": "http://localhost:4000"]) { $1 }
        #expect(try refusal("POST", named) == nil && refusal("GET", ["Host": "localhost:4000"]) == nil)
        #expect(try refusal("POST", named.merging(["Origin": "http://evil.example:4000"]) { $1 }) == .forbidden)
        #expect(try refusal("POST", named.merging(["X-Deadzone": "guess"]) { $1 }) == .forbidden)
    }

    /// One changed field each; `nil` leaves it out.
    @Test(
        arguments: [
            // DNS rebinding: a name of the attacker has this address.
            ("Host", "evil.example:4000"), ("Host", "127.0.0.1"), ("Host", "127.0.0.1:4001"),
            ("Host", "localhost:4000"), ("Host", "localhost"), ("Host", "localhost:4001"), ("Host", "a.localhost:4000"),
            ("Host", "localhost.:4000"), ("Host", "localhost:4000.evil.example"), ("Host", "LOCALHOST:4000"),
            ("Host", "127.0.0.1:4000.evil.example"), ("Host", "[::1]:4000"), ("Host", nil),
            // A form or script of another site.
            ("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1:4001"), ("Origin", ""),
            ("Origin", "https://127.0.0.1:4000"), ("Origin", "http://localhost:4000"), ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("X-Deadzone", nil), ("X-Deadzone", ""), ("X-Deadzone", "0123456789abcdef0123456789abcdee"),
            ("X-Deadzone", token + "0"),
        ] as [(String, String?)])
    func refusesRequestsOfOtherPages(_ name: String, _ value: String?) throws {
        // Broken: a web page that the user visits starts runs, reads a scenario, or writes a file.
        var fields: [String: String?] = Self.own.mapValues { $0 }
        fields[name] = .some(value)
        #expect(try refusal("POST", fields) == .forbidden, "\(name): \(value ?? "absent")")
        if name == "Host" { #expect(try refusal("GET", fields) == .forbidden) }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; a=b",
    ])
    func aFormIsNoCall(_ type: String) throws {
        // Broken: a request that a browser sends across sites without asking first is answered.
        #expect(try refusal("POST", Self.own.merging(["Content-Type": type]) { $1 }) == .unsupportedType)
    }

    @Test func theLaunchKeyCountsOnce() throws {
        // Broken: another user of the machine reads the key from the list of processes, and uses the studio.
        let loopback = LoopbackGuard(port: 4_000, token: Self.token, launchKey: Self.launchKey)
        let head =
            "POST /a HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nX-Deadzone: \(Self.launchKey)\r\n"
            + "Content-Type: application/json\r\nContent-Length: 0\r\n\r\n"
        var parser = HTTPRequestParser { request, _ in loopback.refusal(request) }
        guard case .complete(let request) = parser.feed(Array(head.utf8)) else {
            Issue.record("the first use is refused")
            return
        }
        #expect(loopback.refusal(request) == .forbidden)
    }

    @Test func tokensAreLongAndDifferent() throws {
        // Broken: the secret can be guessed.
        let tokens = try (0..<100).map { _ in try SecretToken.make() }
        #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }
}
