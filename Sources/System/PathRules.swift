public import DeadzoneDevice
public import DeadzonePrimitives

/// What an operating system does about networks, in plain bytes; without a platform all at once and nothing by itself.
public struct PathRules: BitwiseCopyable, Sendable {
    public enum System: UInt8, BitwiseCopyable, Sendable {
        case none, android, ios
    }

    public private(set) var system = System.none
    public private(set) var linger = TimeSpan.zero
    var validation = TimeSpan.zero
    public private(set) var destroysSockets = true
    public private(set) var leavesSocketsFrozen = false

    public init(_ platform: Platform?) {
        guard let platform else { return }
        system = platform.family == .android ? .android : .ios
        linger = platform.networks.linger
        validation = platform.networks.validation
        destroysSockets = platform.networks.destroysSockets
        leavesSocketsFrozen = platform.networks.leavesSocketsFrozen
    }

    // Of Android, whatever its release.

    /// `PROMPT_UNVALIDATED_DELAY_MS` of ConnectivityService.java (aosp-mirror/platform_frameworks_base).
    static let prompt = TimeSpan.seconds(8)
    /// `INITIAL_REEVALUATE_DELAY_MS` and `MAX_REEVALUATE_DELAY_MS` of NetworkMonitor.java, the delay doubling in between.
    static let firstRetry = TimeSpan.seconds(1)
    static let longestRetry = TimeSpan.minutes(10)
    /// A network that lost the internet is looked at again when look-ups have failed, at the earliest after
    /// `DEFAULT_DATA_STALL_MIN_EVALUATE_TIME_MS` of NetworkMonitor's DataStallUtils.
    static let doubt = TimeSpan.minutes(1)
    /// From needing the cellular network to its address. Assumed: attaching a bearer takes about a second.
    static let bringUp = TimeSpan.seconds(1)
}
