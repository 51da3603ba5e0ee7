/// Records of refused messages, of uploads that break off, of the tunnel, and of presence.
extension RecordDefinition {
    static let refusals = [
        RecordDefinition(
            .messageRefused, "message_refused", tag: "reason", .message,
            "The server's program refused a message of the app; why, and the message's index."),
        RecordDefinition(
            .messageRetried, "message_retried", .message, "A refused message reached the server again; its index."),
        RecordDefinition(
            .uploadWasted, "upload_wasted", .bytes,
            "Bytes of the app's messages that the server received and did not use: refused, ignored behind a refused message, or of an upload that broke off."
        ),
        RecordDefinition(
            .uploadResumed, "upload_resumed", .bytes,
            "The client continued a message that had broken off; its bytes that the server already had."),
    ]

    static let tunnel = [
        RecordDefinition(
            .tunnelReady, "tunnel_ready", .after,
            "The answer to a handshake of the phone's tunnel arrived; time since its first packet."),
        RecordDefinition(
            .tunnelDown, "tunnel_down", .span,
            "Time with a working network in which no packet of the tunnel's gateway could reach the phone."),
        RecordDefinition(
            .tunnelDropped, "tunnel_dropped", .count,
            "Packets that waited for a session of the tunnel and were dropped."),
    ]

    static let presence = [
        RecordDefinition(
            .presenceAway, "presence_away", tag: "reason", .nothing,
            "The server shows the phone's user to other users as away from now on; why the phone has no connection, and the change of the timeline that led to it, if one did."
        ),
        RecordDefinition(
            .presenceBack, "presence_back", .after,
            "The server shows the user as online again; time since it showed the user as away."),
        RecordDefinition(
            .presenceStillAway, "presence_still_away", .after,
            "At the horizon: the server shows the user as away; time since then."),
        RecordDefinition(
            .presenceGhost, "presence_ghost", .span,
            "Time that the server showed the user as online while nothing could reach the app."),
        RecordDefinition(
            .presenceMissed, "presence_missed", .span,
            "Time that the server showed the user as away while the app was in front."),
    ]

    static let paths = [
        RecordDefinition(
            .pathSelected, "path_selected", tag: "path", .nothing,
            "The client uses another path to its peer from now on; which one."),
        RecordDefinition(
            .usedDirect, "used_direct", .span,
            "Time that the client used the direct path to its peer, until it selected another one or the run ended."),
        RecordDefinition(
            .usedRelay, "used_relay", .span, "As `used_direct`, of the path over the relay."),
    ]
}
