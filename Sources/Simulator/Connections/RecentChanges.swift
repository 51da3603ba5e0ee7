/// The timeline changes that may explain a missing connection. Changes are given as indices into the timeline.
struct RecentChanges: BitwiseCopyable {
    // Each index is stored plus 1; 0 means none.
    private var latestNetwork: UInt16 = 0
    private var latestApp: UInt16 = 0
    private var latestMove: UInt16 = 0
    private var current: UInt16 = 0
    /// `true` if the change that is being applied now is one of the server.
    private(set) var activeIsOfServer = false

    /// The latest change that may have taken the phone's network away.
    var network: UInt16? { Self.index(latestNetwork) }
    /// The latest change after which the system may stop the app.
    var app: UInt16? { Self.index(latestApp) }
    /// The latest change that moved the server to another address.
    var move: UInt16? { Self.index(latestMove) }
    /// The change that is being applied now.
    var active: UInt16? { Self.index(current) }

    /// Notes a change that is about to be applied.
    mutating func begin(_ change: ConditionChange, _ index: Int) {
        current = UInt16(clamping: index + 1)
        switch change {
        case .pathUp, .pathDown, .readdress, .coverage(_, false), .oneWay(_, _, passes: false), .uplink(_, false),
            .access, .technology, .mappingsLost, .peer(.moves), .peer(.blocked):
            latestNetwork = current
        case .app(foreground: false), .screen(false), .saving(true), .dataSaver(true), .restriction(true), .kill,
            .forceStop:
            latestApp = current
        case .serverMoved: latestMove = current
        case .server, .instance, .deploy: activeIsOfServer = true
        default: break
        }
    }

    /// Continues with a deploy, which takes effect in several steps.
    mutating func resumeDeploy(_ index: Int) {
        current = UInt16(clamping: index + 1)
        activeIsOfServer = true
    }

    /// Notes that the change has been applied.
    mutating func end() {
        current = 0
        activeIsOfServer = false
    }

    private static func index(_ number: UInt16) -> UInt16? { number == 0 ? nil : number - 1 }
}
