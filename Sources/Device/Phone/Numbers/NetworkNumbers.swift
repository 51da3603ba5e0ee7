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
