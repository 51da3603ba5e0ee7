extension StrategyStories {
    /// Connections, backoffs and keepalives of `composed`.
    static let connections: [String] = [
        """
        composed|backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        send 10=t3 at 20s
        opened 0=send 0 0..<1
        responded=
        greeted 5 0=
        received 5=deliver <5
        acked 1=
        send 10=send 0 1..<2
        send 10=send 0 2..<3
        closed reset=t0 at 4s
        send 10=t0 at 4s
        wait 4=connect 0 webSocket tls13 from 5, t3 at 24s
        opened 5=send 0 1..<4
        acked 4=
        wait 30=
        cellular 2=
        background=
        foreground=
        push=
        refresh=
        expiring=
        wait 3=
        goaway=close 0, t0 at 41s
        wait 4=connect 0 webSocket tls13 from 5, t3 at 61s
        refused later 9=t3 at 61s
        failed sessionRefused=t0 at 49s
        wait 8=connect 0 webSocket tls13 from 5, t3 at 69s
        wait 20=close 0, t0 at 85s
        offline 0 lost=t0 at 85s
        wait 8=t0 at 85s
        wait 60=
        wifi 5=connect 0 webSocket tls13 from 5, t3 at 157s
        opened 5=
        received 4=deliver <4
        received 7=deliver <7
        stalled=
        writable=
        wait 100=
        """,
        """
        composed|channel.after-failure: idle; channel.after-loss: reconnect; channel.stream: none; backoff.base: 4s; backoff.jitter: none; on-goaway: reconnect
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        failed refused=t0 at 4s
        wait 4=
        call=connect 0 webSocket tls13 from 0, t3 at 24s
        opened 0=call 0 #0
        closed reset=t0 at 8s
        wait 4=connect 0 webSocket tls13 from 0, t3 at 28s
        answered 0=t3 at 28s
        failed refused=t0 at 16s
        wait 8=connect 0 webSocket tls13 from 0, t3 at 36s
        wait 60=close 0, connect 0 webSocket tls13 from 0, close 0, t0 at 104s
        send 10=t0 at 104s
        opened 0=t0 at 104s
        goaway=t0 at 104s
        opened 0=t0 at 104s
        goaway tooManyPings=t0 at 104s
        """,
        """
        composed|on-path-change.available: migrate; on-path-change.lost: drop; on-path-change.losing: hurry; on-path-change.validated: reconnect; on-path-change.debounce: 2s; transport: quic; backoff.base: 4s; backoff.jitter: none; backoff.in-background: hold
        started=connect 0 quic tls13 from 0, t3 at 20s
        cellular 2=t3 at 20s, t4 at 2s
        wait 2=close 0, connect 0 quic tls13 from 0, t3 at 22s
        opened 0=
        wifi 3=t4 at 4s
        wait 1=t4 at 4s
        wifi 4=t4 at 5s
        wait 2=migrate 0
        wifi 4 validated=t4 at 7s
        wait 2=close 0, connect 0 quic tls13 from 0, t3 at 27s
        wifi 4 losing=t3 at 27s, t4 at 9s
        wait 2=t3 at 27s
        opened 0=
        offline 0 lost=t4 at 11s
        wait 2=close 0, t0 at 15s
        wait 60=
        background=
        wifi 5=t4 at 73s
        wait 2=connect 0 quic tls13 from 0, t3 at 93s
        failed refused=t0 at 77s
        wait 9=
        foreground=connect 0 quic tls13 from 0, t3 at 102s
        failed refused=t0 at 86s
        wifi 5 losing=t0 at 86s, t4 at 84s
        wait 2=connect 0 quic tls13 from 0, t3 at 104s
        """,
        """
        composed|backoff.when-denied: stop; backoff.in-background: longest-wait; backoff.cap: 20s; backoff.base: 4s; backoff.jitter: none; backoff.min-connect-timeout: 6s; backoff.from: attempt; keepalive.interval: 20s; keepalive.user-timeout: true; transport.kind: http2; transport.tls: 1.3-early
        started=connect 0 http2 tls13 from 0 user-timeout 10s, t3 at 6s
        wait 6=close 0, connect 0 http2 tls13 from 0 user-timeout 10s, t3 at 14s
        wait 9=close 0, connect 0 http2 tls13 from 0 user-timeout 10s, t3 at 30s
        opened 0=t1 at 35s
        closed denied=
        wait 99=
        push=
        wifi 9=
        foreground=
        background=
        started=connect 0 http2 tls13 from 0 user-timeout 10s, t3 at 134s
        opened 0=t1 at 134s
        closed reset=t0 at 134s
        wait 20=connect 0 http2 tls13Early from 0 user-timeout 10s, t3 at 154s
        failed refused=t0 at 154s
        foreground=connect 0 http2 tls13Early from 0 user-timeout 10s, t3 at 140s
        opened 0=t1 at 154s
        goaway tooManyPings=close 0, t0 at 138s
        """,
        """
        composed|transport: datagram; keepalive.interval: 5s; backoff.base: 4s; backoff.jitter: none
        started=connect 0 datagram none fresh, t3 at 20s
        opened 0=t1 at 5s
        send 10=send 0 0..<1, forget <1, t1 at 5s
        received 4=deliver <4, t1 at 5s
        wait 5=ping 0, t2 at 15s
        received 5=deliver <5, t1 at 10s
        closed reset=t0 at 9s
        send 10=forget <2, t0 at 9s
        wait 4=connect 0 datagram none fresh, t3 at 29s
        """,
        """
        composed|keepalive.interval: 10s; keepalive.from-server: true; keepalive.stand-in: 4s; keepalive.pings: true; keepalive.machine: plain; backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=t1 at 10s
        heartbeat 0=t2 at 14s
        wait 13=t2 at 14s
        heartbeat 6=t2 at 23s
        wait 9=t2 at 23s
        wait 1=close 0, t0 at 27s
        wait 4=connect 0 webSocket tls13 from 0, t3 at 47s
        opened 0=t1 at 33s
        wait 6=ping 0, t2 at 43s
        goaway tooManyPings=close 0, t0 at 37s
        wait 4=connect 0 webSocket tls13 from 0, t3 at 57s
        opened 0=t1 at 49s
        wait 13=ping 0, t2 at 59s
        """,
    ]
}
