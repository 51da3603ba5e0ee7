package import DeadzoneBase

extension ConditionChange {
    /// The interface that the change concerns; `nil` if it concerns none, or the cellular radio.
    package var interface: Interface? {
        switch self {
        case .pathUp(let interface, _), .pathDown(let interface, _), .fading(let interface),
            .readdress(let interface, _), .coverage(let interface, _), .oneWay(let interface, _, _),
            .uplink(let interface, _), .conditions(let interface, _), .mappingsLost(let interface),
            .spurious(let interface, _), .access(let interface, _):
            interface
        case .roamed: .wifi
        default: nil
        }
    }
}

/// Names of changes, for commands of the user that run at a change.
extension ConditionChange {
    private static let interfaceEvents = [
        "up", "down", "fading", "readdress", "dark", "light", "offline", "online", "block-up", "block-down", "pass-up",
        "pass-down", "conditions", "mappings-lost", "spurious", "access",
    ]

    private static let otherEvents = [
        "cell-handover", "technology", "signal-weak", "signal-usual", "names", "no-names", "foreground", "background",
        "screen-on", "screen-off", "charging-on", "charging-off", "moving", "still", "saving-on", "saving-off",
        "data-saver-on", "data-saver-off", "restricted", "unrestricted", "alarm-clock", "clock", "stall", "kill",
        "force-stop", "push", "push-token-void", "server-frozen", "server-thawed", "server-down",
        "server-up", "server-draining", "server-refusingLogins", "server-takingLogins", "instance", "deploy",
        "server-moved-silent", "server-moved-reset", "name-updated", "streams-ended", "streams-lost",
        "peer-moves", "peer-blocked", "peer-open",
    ]

    /// Beginnings of the labels of all changes. Numbers of technologies, links, instances and times come after some of
    /// them. A live run has the common interfaces. A test checks them against the labels.
    package static let eventNames: [String] =
        interfaceEvents.flatMap { event in Interface.common.map { "\(event)-\($0.name)" } } + otherEvents

    /// `true` if a label can begin with this text.
    package static func isEvent(_ beginning: String) -> Bool {
        !beginning.isEmpty && eventNames.contains { $0.hasPrefix(beginning) || isDetailed(beginning, $0) }
    }

    /// `true` if the text names a change and its details: `down-wifi-silent`, `technology-1`.
    private static func isDetailed(_ beginning: String, _ name: String) -> Bool {
        guard beginning.hasPrefix(name + "-") else { return false }
        let detail = beginning.dropFirst(name.utf8.count + 1)
        if name.hasPrefix("down-") || name.hasPrefix("readdress-") {
            return PathLossSignal.allCases.contains { $0.text.hasPrefix(detail) }
        }
        return detail.first?.isNumber ?? true
            || ["up-", "spurious-", "access-", "push"].contains(where: name.hasPrefix)
    }
}
