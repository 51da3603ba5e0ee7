/// Records of refused messages, of uploads that break off, and of the tunnel.
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

    static let pushes = [
        RecordDefinition(
            .pushCollapsed, "push_collapsed", .count, "Pushes that a newer one with the same collapse key replaced."),
        RecordDefinition(
            .pushDiscarded, "push_discarded", .count,
            "Pushes that the push service discarded because too many waited for the phone."),
        RecordDefinition(
            .pushExpired, "push_expired", .count, "Pushes whose time to live ended before the app received them."),
        RecordDefinition(
            .pushUnregistered, "push_unregistered", .count, "Pushes that the server sent to a push token that was void."
        ),
        RecordDefinition(
            .pushDemoted, "push_demoted", .nothing, "A push of high priority was treated as one of normal priority."),
        RecordDefinition(
            .pushTokenVoid, "push_token_void", .span,
            "Time from the end of a push token until the server knew the next one, or until the run ended."),
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
}
