package import DeadzoneBase
import DeadzoneClient
package import DeadzoneDevice

/// An operating system's rules for networks, such as the time for which it keeps an unused network.
///
/// Stored as plain bytes. Without a platform, everything happens at once and the system takes no action of its own.
package struct PathRules: BitwiseCopyable, Sendable {
    package enum SystemFamily: UInt8, BitwiseCopyable, Sendable {
        case none, android, ios
    }

    package private(set) var system = SystemFamily.none
    package private(set) var linger = TimeSpan.zero
    var validation = TimeSpan.zero
    private(set) var destroysSockets = true
    package private(set) var leavesSocketsFrozen = false
    package let preference: NetworkPreference
    /// The interfaces of the world.
    package let interfaces: Interfaces

    package init(
        _ platform: Platform?, _ preference: NetworkPreference = NetworkPreference(),
        _ interfaces: Interfaces = Interfaces(including: [])
    ) {
        self.preference = preference
        self.interfaces = interfaces
        guard let platform else { return }
        system = platform.family == .android ? .android : .ios
        linger = platform.networks.linger
        validation = platform.networks.validation
        destroysSockets = platform.networks.destroysSockets
        leavesSocketsFrozen = platform.networks.leavesSocketsFrozen
    }

    /// How the sockets of one interface of the system notice the loss of their network. iOS leaves sockets frozen if
    /// another network replaces theirs, or if the app is in the background. It closes the streams of its framework.
    func signal(
        _ signal: PathLossSignal, to api: Transport.SocketAPI, isReplaced: Bool, isForeground: Bool
    ) -> PathLossSignal {
        guard leavesSocketsFrozen else { return signal }
        switch api {
        case .framework: return isReplaced ? .error : signal
        case .socket: return signal == .error && (isReplaced || !isForeground) ? .silent : signal
        }
    }

    // Android, all releases.

    /// Time until the user is asked about a network without internet: `PROMPT_UNVALIDATED_DELAY_MS` of
    /// ConnectivityService.java (aosp-mirror/platform_frameworks_base).
    static let prompt = TimeSpan.seconds(8)
    /// Delay before the first repeated validation: `INITIAL_REEVALUATE_DELAY_MS` of NetworkMonitor.java. It doubles
    /// each time, up to `longestRetry`.
    static let firstRetry = TimeSpan.seconds(1)
    /// Longest delay between two validations: `MAX_REEVALUATE_DELAY_MS` of NetworkMonitor.java.
    static let longestRetry = TimeSpan.minutes(10)
    /// Time until the system notices that a network has lost the internet. It validates the network again after failed
    /// DNS lookups, at the earliest after `DEFAULT_DATA_STALL_MIN_EVALUATE_TIME_MS` of NetworkMonitor's DataStallUtils.
    static let doubt = TimeSpan.minutes(1)
    /// Time from the moment a network is needed until it has an IP address. Assumed: attaching a bearer takes about a
    /// second, and so does joining a known Wi-Fi network.
    static let bringUp = TimeSpan.seconds(1)
}
