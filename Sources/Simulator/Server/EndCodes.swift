package import DeadzoneClient

/// The codes that the server states when it refuses a session or ends a connection. 0 states none.
///
/// They cost no bytes of their own: the frames that end a connection have room for a code. The phone looks the code up
/// when it reads the end, so a code of another server version applies to ends that are read from then on.
package struct EndCodes: Hashable, Sendable {
    private var turnedAway: UInt16 = 0
    private var forbidden: UInt16 = 0
    private var ended: UInt16 = 0
    private var denied: UInt16 = 0
    private var completed: UInt16 = 0

    package init() {}

    /// The kinds of end for which a server can state a code.
    package static let kinds: [EndKind] = [.turnedAway, .forbidden, .ended, .denied, .completed]

    /// The code of an end; 0 if the server states none. Setting the code of a kind outside `kinds` has no effect.
    package subscript(kind: EndKind) -> UInt16 {
        get {
            switch kind {
            case .turnedAway: turnedAway
            case .forbidden: forbidden
            case .ended: ended
            case .denied: denied
            case .completed: completed
            case .noPath, .unanswered, .refused, .unresolved, .untrusted, .pathLost, .timedOut, .reset, .silent,
                .goAway, .tooManyPings:
                0
            }
        }
        set {
            switch kind {
            case .turnedAway: turnedAway = newValue
            case .forbidden: forbidden = newValue
            case .ended: ended = newValue
            case .denied: denied = newValue
            case .completed: completed = newValue
            case .noPath, .unanswered, .refused, .unresolved, .untrusted, .pathLost, .timedOut, .reset, .silent,
                .goAway, .tooManyPings:
                break
            }
        }
    }
}
