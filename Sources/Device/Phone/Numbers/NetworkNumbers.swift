import DeadzonePrimitives

extension PlatformNumber {
    static let androidNetworks: [PlatformNumber] = [
        PlatformNumber(
            "networks.linger", .span(\.networks.linger), "the old network stays so long when a better one has come",
            .always(.seconds(30), .secondary, Cited.connectivity)),
        PlatformNumber(
            "networks.validation", .span(\.networks.validation), "from a network's coming up to its validation",
            .always(.milliseconds(500), .assumed, note: "a probe over HTTP and one over HTTPS: a few round trips")),
        PlatformNumber(
            "networks.destroys-sockets", .flag(\.networks.destroysSockets),
            "sockets whose address is gone, or that the firewall cuts off, get an error",
            .always(0, .secondary, Cited.destroy, note: "the first of them is of 2016, after Android 6"),
            .since(7, 1, .secondary, Cited.destroy)),
        PlatformNumber(
            "networks.leaves-sockets-frozen", .flag(\.networks.leavesSocketsFrozen),
            "sockets are told nothing of a better network, nor of losses in the background", .always(0, .assumed)),
    ]

    static let iosNetworks: [PlatformNumber] = [
        PlatformNumber(
            "networks.linger", .span(\.networks.linger), "the old network stays so long when a better one has come",
            .always(.seconds(30), .assumed, note: "as on Android")),
        PlatformNumber(
            "networks.validation", .span(\.networks.validation), "from a network's coming up to its validation",
            .always(.milliseconds(500), .assumed, note: "as on Android")),
        PlatformNumber(
            "networks.destroys-sockets", .flag(\.networks.destroysSockets),
            "sockets whose address is gone, or that the firewall cuts off, get an error",
            .always(0, .secondary, Cited.frozen)),
        PlatformNumber(
            "networks.leaves-sockets-frozen", .flag(\.networks.leavesSocketsFrozen),
            "sockets are told nothing of a better network, nor of losses in the background",
            .always(1, .secondary, Cited.frozen)),
    ]
}
