import Synchronization

/// Decides which requests to a server on this machine are answered. Every web page that the user visits can send
/// requests to it, and a page can give its own name the address 127.0.0.1 (DNS rebinding). Therefore:
///
/// - `Host` must be the literal address or `localhost`, which no other site's page sends: browsers never ask a name
///   server for `localhost`. Jupyter and Vite accept both, too.
/// - `Origin` must be absent or the same host; `Sec-Fetch-Site`, where a browser sends it, must be this server for POST.
/// - POST needs a secret token in a field of its own, and a content type that makes a browser ask first (preflight).
///   The server answers no preflight.
///
/// GET is for files without secrets. Other users of the machine see the words with which a browser is started, so the
/// address for it has a key that the first call consumes; its answer gives the token.
package struct LoopbackGuard: Sendable {
    /// Name of the field with the token.
    package static let tokenField = "x-deadzone"
    private static let contentTypes = ["application/json", "application/octet-stream"]

    private let hosts: [String]
    package let token: String
    private let launchKey: LaunchKey

    /// - Parameter launchKey: replaces the token once.
    package init(port: Int, token: String, launchKey: String) {
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        self.token = token
        self.launchKey = LaunchKey(launchKey)
    }

    /// Returns the status of a refusal, or `nil` if the request may be answered.
    package func refusal(_ head: HTTPRequest) -> HTTPStatus? {
        guard let host = head.fields["host"], hosts.contains(host) else { return .forbidden }
        if let origin = head.fields["origin"], origin != "http://" + host { return .forbidden }
        guard head.method == .post else { return nil }
        if let site = head.fields["sec-fetch-site"], site != "same-origin" { return .forbidden }
        guard let given = head.fields[Self.tokenField], Self.areEqual(given, token) || launchKey.isConsumed(by: given)
        else { return .forbidden }
        return Self.contentTypes.contains(head.fields["content-type"] ?? "") ? nil : .unsupportedType
    }

    /// A key that counts once.
    private final class LaunchKey: Sendable {
        private let value: String
        private let isUsed = Atomic(false)

        init(_ value: String) { self.value = value }

        func isConsumed(by given: String) -> Bool {
            areEqual(given, value) && !isUsed.exchange(true, ordering: .relaxed)
        }
    }

    /// Compares without stopping at the first difference, so that the time tells nothing about the token.
    private static func areEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
