/// Records of refused messages, of uploads that break off, of pushes, of streams on one connection, of the tunnel, and of
/// presence.
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
            .pushExpired, "push_expired", .count, "Pushes with a time to live that ended before the app received them."),
        RecordDefinition(
            .pushUnregistered, "push_unregistered", .count, "Pushes that the server sent to a push token that was void."
        ),
        RecordDefinition(
            .pushDemoted, "push_demoted", .nothing, "A push of high priority was treated as one of normal priority."),
        RecordDefinition(
            .pushTokenVoid, "push_token_void", .span,
            "Time from the end of a push token until the server knew the next one, or until the run ended."),
    ]

    static let subscriptions = [
        RecordDefinition(
            .subscriptionJoining, "stream_joining", .stream,
            "The client asks the server to join a stream for the first time; the stream's number."),
        RecordDefinition(
            .subscriptionRejoining, "stream_rejoining", .stream,
            "The client asks the server again to join a stream; the stream's number."),
        RecordDefinition(.subscriptionJoined, "stream_joined", .stream, "The server's program has joined a stream."),
        RecordDefinition(
            .subscriptionRefused, "stream_refused", tag: "reason", .stream,
            "The server's program refused to join a stream, or did not answer."),
        RecordDefinition(
            .subscriptionEnded, "stream_ended", tag: "end", .stream,
            "The server's program ended a stream while the connection lived: it told the client, or kept silent."),
        RecordDefinition(
            .subscriptionDeaf, "stream_deaf", .span,
            "Time in which the client took a stream for joined that the server had ended, on an open connection."),
        RecordDefinition(
            .subscriptionOut, "stream_out", .span,
            "Time in which streams were not joined on an open connection, as a sum over the phone's streams; at the end of the run."
        ),
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
