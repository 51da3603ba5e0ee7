import DeadzoneEngine
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneReporting
import DeadzoneScenarios

extension FinishedRun {
    /// What happened to one phone, if nobody asked for another the first in the first replica, under each strategy.
    var stories: [Story] {
        let scenes = scenario.world.timeline.map(\.change.scene)
        return contenders.indices.map { strategy in
            var story = Story(
                phone: phone, horizon: scenario.world.horizon - .zero, prices: scenario.prices, scenes: scenes)
            journal(of: strategy, into: &story)
            return story
        }
    }
}

extension Change {
    /// As a picture names it.
    var scene: Scene {
        switch self {
        case .pathUp(let interface, let attachment):
            Scene(
                attachment.portal == nil ? "\(interface.title) joined" : "\(interface.title) portal",
                .path(interface, isUp: true))
        case .pathDown(let interface, let manner):
            Scene("\(interface.title) left\(manner == .silent ? " silently" : "")", .path(interface, isUp: false))
        case .fading(let interface): Scene("\(interface.title) fades")
        case .readdress(let interface, _): Scene("\(interface.title): new address")
        case .coverage(let interface, let isThere):
            Scene(
                isThere ? "\(interface.title) signal back" : "no \(interface.title) signal",
                .coverage(interface, isThere: isThere))
        case .oneWay(let interface, let direction, let passes):
            Scene("\(interface.title) \(direction == .up ? "up" : "down") \(passes ? "passes" : "is cut")")
        case .uplink(let interface, let isThere):
            Scene(
                isThere ? "\(interface.title): internet back" : "\(interface.title): no internet",
                .coverage(interface, isThere: isThere))
        case .cellHandover: Scene("cell handover")
        case .technology: Scene("other radio technology")
        case .conditions(let interface, _): Scene("\(interface.title): other link")
        case .mappingsLost: Scene("NAT forgets")
        case .spurious(let interface, _): Scene("\(interface.title): rumour")
        case .access(let interface, let access):
            Scene("\(interface.title) \(access.words)", .coverage(interface, isThere: access == .open))
        case .names(let resolve): Scene(resolve ? "DNS back" : "no DNS")
        case .app(let isInFront): Scene(isInFront ? "app in front" : "app in background", .app(isInFront: isInFront))
        case .screen(let isOn): Scene(isOn ? "screen on" : "screen off", .screen(isOn: isOn))
        case .charging(let isOn): Scene(isOn ? "charger in" : "charger out")
        case .moving(let isMoving): Scene(isMoving ? "moves" : "lies still")
        case .kill: Scene("app killed", .process(isEnded: true))
        case .forceStop: Scene("app force-stopped", .process(isEnded: true))
        case .clockSet: Scene("clock set")
        case .push: Scene("push")
        case .saving(let isOn): Scene(isOn ? "battery saver on" : "battery saver off")
        case .alarmClock: Scene("alarm clock set")
        case .consumerStall: Scene("screen freezes")
        case .deploy: Scene("server deployed anew")
        case .server(let change): change.scene
        }
    }
}

extension Access {
    fileprivate var words: String {
        switch self {
        case .open: "open to the app"
        case .refused: "refused to the app"
        case .needsConnection: "needs a connection first"
        }
    }
}

extension ServerChange {
    fileprivate var scene: Scene {
        switch self {
        case .frozen: Scene("server freezes", .server(isThere: false))
        case .thawed: Scene("server thaws", .server(isThere: true))
        case .down: Scene("server down", .server(isThere: false))
        case .up: Scene("server up", .server(isThere: true))
        case .draining: Scene("server drains")
        case .refusingLogins: Scene("logins refused")
        case .takingLogins: Scene("logins taken")
        }
    }
}
