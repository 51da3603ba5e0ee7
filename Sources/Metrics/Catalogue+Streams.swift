import DeadzoneBase

extension Catalogue {
    /// Metrics of streams that share a connection. They are zero without `streams` at the server and in the strategy.
    static let streams = [
        Metric(
            "streams.deaf_s", "Time with a dead stream unnoticed", .seconds, .lower,
            "Time in which the client took a stream for joined that the server had ended, on an open connection.",
            """
            The connection lives and its pings are answered, so no keepalive notices. At least one stream is dead; \
            several at once count once. Messages of these streams are lost with the cause `stream_dead`.
            """, .seconds { $0.fold.sum(of: .subscriptionDeaf) }),
        Metric(
            "streams.out_s", "Time of streams not joined", .seconds, .lower,
            "Time in which streams were not joined on an open connection, noticed or not, as a sum over the streams.",
            """
            It also contains the time from the start of a connection until its streams are joined, waits before they \
            are joined again, and requests that are not answered.
            """, .seconds { $0.fold.sum(of: .subscriptionOut) }),
        Metric(
            "streams.ended", "Streams ended by the server", .count, .lower,
            "Number of times that the server ended a stream while the connection lived.",
            """
            With or without a word to the client: the tag of the record `stream_ended` tells them apart. A mean over \
            replicas.
            """, .mean { Int128($0.fold.count(of: .subscriptionEnded)) }),
        Metric(
            "streams.rejoins", "Requests to join again", .count, .neither,
            "Number of requests to join a stream that the client had asked to join before.",
            """
            After an end, after a refusal, without an answer in time, and on each new connection. Their bytes and \
            energy have the cause `resume`. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .subscriptionRejoining)) }),
        Metric(
            "streams.refused", "Joins refused or not answered", .count, .lower,
            "Number of requests to join a stream that the server refused or did not answer.",
            """
            The tag of the record `stream_refused` tells them apart. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .subscriptionRefused)) }),
    ]
}
