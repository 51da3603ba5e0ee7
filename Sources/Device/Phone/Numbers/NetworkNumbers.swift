import DeadzoneBase

extension PlatformParameter {
    static let androidNetworks: [PlatformParameter] = [
        PlatformParameter(
            "networks.linger", .span(\.networks.linger),
            "time that the old network stays up after a better one is available",
            .always(.seconds(30), .secondary, Citation.connectivity)),
        PlatformParameter(
            "networks.validation", .span(\.networks.validation), "time from a network's start to its validation",
            .always(.milliseconds(500), .assumed, note: "a probe over HTTP and one over HTTPS: a few round trips")),
        PlatformParameter(
            "networks.destroys-sockets", .flag(\.networks.destroysSockets),
            "sockets get an error if their address is gone or the firewall blocks them",
            .always(0, .secondary, Citation.destroy, note: "the first of these commits is from 2016, after Android 6"),
            .since(7, 1, .secondary, Citation.destroy)),
        PlatformParameter(
            "networks.leaves-sockets-frozen", .flag(\.networks.leavesSocketsFrozen),
            "sockets get no report of a better network, or of losses in the background", .always(0, .assumed)),
        PlatformParameter(
            "networks.lost-awake", .span(\.networks.lostAwake),
            "longest time awake after the default network is lost, until another one is there",
            .always(
                .minutes(1), .secondary, Citation.transition,
                note: "ensureNetworkTransitionWakelock with config_networkTransitionTimeout")),
        PlatformParameter(
            "networks.new-awake", .span(\.networks.newAwake), "time awake after a network has become the default",
            .always(
                .seconds(1), .secondary, Citation.transition,
                note: "to let apps reconnect; assumed also without an earlier loss")),
    ]

    static let iosNetworks: [PlatformParameter] = [
        PlatformParameter(
            "networks.linger", .span(\.networks.linger),
            "time that the old network stays up after a better one is available",
            .always(.seconds(30), .assumed, note: "as on Android")),
        PlatformParameter(
            "networks.validation", .span(\.networks.validation), "time from a network's start to its validation",
            .always(.milliseconds(500), .assumed, note: "as on Android")),
        PlatformParameter(
            "networks.destroys-sockets", .flag(\.networks.destroysSockets),
            "sockets get an error if their address is gone or the firewall blocks them",
            .always(0, .secondary, Citation.frozen)),
        PlatformParameter(
            "networks.leaves-sockets-frozen", .flag(\.networks.leavesSocketsFrozen),
            "sockets get no report of a better network, or of losses in the background",
            .always(1, .secondary, Citation.frozen)),
    ]
}
