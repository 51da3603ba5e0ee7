extension StrategyStories {
    /// Strategies without policy parts.
    static let plain: [String] = [
        """
        eager|ping: 5s; retry: 2s
        send 10=forget <1
        started=connect 0 webSocket tls13 fresh
        send 10=forget <2
        opened 0=t1 at 5s
        send 10=send 0 2..<3, forget <3, t1 at 5s
        received 4=deliver <4, t1 at 5s
        wait 5=ping 0, t1 at 10s
        cellular 2=t1 at 10s
        wait 1=t1 at 10s
        closed reset=t0 at 8s
        send 10=forget <4, t0 at 8s
        wait 2=connect 0 webSocket tls13 fresh
        failed refused=t0 at 10s
        wait 2=connect 0 webSocket tls13 fresh
        opened 0=t1 at 15s
        """,
        """
        datagram|ping: 5s
        offline 0 lost=
        started=
        wifi 1=connect 0 datagram none fresh
        send 10=forget <1
        opened 0=t0 at 5s
        send 10=send 0 1..<2, forget <2, t0 at 5s
        received 4=deliver <4, t0 at 5s
        wait 5=ping 0, t0 at 10s
        wifi 2=connect 0 datagram none fresh, t0 at 10s
        opened 0=t0 at 10s
        closed reset=t0 at 10s
        send 10=forget <3, t0 at 10s
        wait 5=ping 0, t0 at 15s
        failed refused=t0 at 15s
        wifi 3 capabilities=t0 at 15s
        """,
        """
        datagram|
        started=connect 0 datagram none fresh
        opened 0=
        wait 60=
        send 10=send 0 0..<1, forget <1
        closed reset=
        send 10=forget <2
        """,
        """
        patient|ping: 10s; timeout: 3s; connect-timeout: 20s; backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        wait 20=close 0, t0 at 24s
        wait 4=connect 0 webSocket tls13 from 0, t3 at 44s
        failed refused=t0 at 32s
        wait 8=connect 0 webSocket tls13 from 0, t3 at 52s
        opened 0=send 0 0..<0, t1 at 42s
        send 10=send 0 0..<1, t1 at 42s
        received 3=deliver <3, t1 at 42s
        wait 4=t1 at 42s
        acked 1=t1 at 46s
        wait 9=t1 at 46s
        pong 0=t1 at 55s
        wait 13=ping 0, close 0, t0 at 62s
        wait 4=connect 0 webSocket tls13 from 3, t3 at 82s
        opened 3=send 0 1..<1, t1 at 72s
        cellular 2=close 0, connect 0 webSocket tls13 from 3, t3 at 82s
        send 10=t3 at 82s
        opened 3=send 0 1..<2, t1 at 72s
        wait 1=t1 at 72s
        wifi 3 capabilities=t1 at 72s
        closed ended=t0 at 67s
        offline 0=
        wait 60=
        wifi 4=connect 0 webSocket tls13 from 3, t3 at 143s
        """,
        """
        interval-socket|tick: 30s; age: 10s; debounce: 2s; queue: 4; backoff.base: 4s; backoff.jitter: none
        send 10=
        started=connect 0 webSocket tls13 from 0, t1 at 30s
        send 10=t1 at 30s
        opened 0=send 0 1..<2, t1 at 30s
        send 10=send 0 2..<3, t1 at 30s
        received 2=deliver <2, persist <2, t1 at 30s
        acked 2=t1 at 30s
        wait 29=t1 at 30s
        pong 0=t1 at 30s
        wait 1=ping 0, t1 at 60s
        send 10=send 0 3..<4, t1 at 60s
        send 10=send 0 4..<5, t1 at 60s
        send 10=send 0 5..<6, t1 at 60s
        wait 30=close 0, t0 at 64s, t1 at 90s
        send 10=forget <4, t0 at 64s, t1 at 90s
        wait 4=connect 0 webSocket tls13 from 2, t1 at 90s
        opened 2=send 0 4..<7, t1 at 90s
        cellular 2=t1 at 90s, t4 at 66s
        wait 1=t1 at 90s, t4 at 66s
        cellular 3=t1 at 90s, t4 at 67s
        wait 2=close 0, connect 0 webSocket tls13 from 2, t1 at 90s
        failed refused=t0 at 71s, t1 at 90s
        foreground=connect 0 webSocket tls13 from 2, t1 at 90s
        opened 2=send 0 4..<7, t1 at 90s
        closed reset=t0 at 71s, t1 at 90s
        wait 4=connect 0 webSocket tls13 from 2, t1 at 90s
        background=end 0, t1 at 90s
        wait 60=t1 at 150s
        cellular 4=t1 at 150s, t4 at 133s
        wait 60=t1 at 210s
        send 10=t1 at 210s
        foreground=connect 0 webSocket tls13 from 2, t1 at 210s
        wait 20=close 0, t0 at 214s, t1 at 240s
        failed timedOut=t0 at 214s, t1 at 240s
        wait 90=connect 0 webSocket tls13 from 2, close 0, connect 0 webSocket tls13 from 2, close 0, connect 0 webSocket tls13 from 2, close 0, t0 at 332s, t1 at 330s
        """,
        """
        stream-loop|base: 1s; cap: 6s; connect-timeout: 9s; deadline.foreground: 40s; deadline.background: 30s; deadline.low-battery: 20s; deadline.slow-network.above: 2s; deadline.slow-network.deadline: 60s; keepalive.interval: 10s; keepalive.timeout: 3s
        started=connect 0 grpc tls13 from 0, t3 at 9s, t4 at 40s
        send 10=forget <1, t3 at 9s, t4 at 40s
        wait 1=t3 at 9s, t4 at 40s
        opened 0=t1 at 11s, t4 at 40s
        send 10=send 0 1..<2, forget <2, t1 at 11s, t4 at 40s
        received 2=deliver <2, persist <2, t1 at 11s, t4 at 40s
        wait 9=t1 at 11s, t4 at 40s
        acked 1=t1 at 20s, t4 at 40s
        wait 10=ping 0, t2 at 23s, t4 at 40s
        pong 1=t1 at 30s, t4 at 40s
        wait 9=t1 at 30s, t4 at 40s
        heartbeat 4=t1 at 39s, t4 at 40s
        wait 9=t1 at 39s, t4 at 40s
        wait 4=ping 0, close 0
        wait 1=
        opened 2=
        pong 3=
        closed reset=
        wait 2=
        opened 2=
        goaway tooManyPings=
        received 3=
        closed completed=
        opened 3=
        wait 13=
        saver=
        closed reset=
        background=
        wait 2=
        saver=
        failed refused=
        wait 4=
        failed refused=
        wait 6=
        opened 3=
        wait 30=
        wait 100=
        """,
        """
        stream-loop|language: swift; base: 1s; cap: 30s
        started=connect 0 grpc tls13 from 0, t3 at 20s
        failed refused=t0 at 2s
        wait 2=connect 0 grpc tls13 from 0, t3 at 22s
        opened 0=
        closed denied=abandon consumer
        wait 60=
        started=connect 0 grpc tls13 from 0, t3 at 82s
        opened 0=
        refused later=
        refused forever=abandon consumer
        wait 60=
        started=connect 0 grpc tls13 from 0, t3 at 142s
        wait 20=close 0, t0 at 144s
        wait 8=connect 0 grpc tls13 from 0, t3 at 164s
        opened 0=
        received 1=deliver <1, persist <1
        closed reset=t0 at 152s
        wait 2=connect 0 grpc tls13 from 1, t3 at 172s
        opened 1=
        wait 999=
        """,
        """
        stream-loop|intake.read-ahead: 3
        started=connect 0 grpc tls13 from 0, t3 at 20s
        opened 0=
        goaway=
        wait 60=
        closed reset=t0 at 60500ms
        """,
        """
        ice|checks: 4s; backup-checks: 12s; pace: 1s; receiving-timeout: 2s; consent: 20s; restart-after: 30s; climb: 7s
        started=connect 0 datagram none fresh, t4 at 30s
        opened 0=ping 0, t0 at 1s, t2 at 2s, t4 at 30s
        wait 1=ping 0, t0 at 2s, t2 at 2s, t4 at 30s
        pong 0=connect 1 datagram none fresh, select 0, ping 0, t0 at 5s, t2 at 3s
        send 10=send 0 0..<1, forget <1, t0 at 5s, t2 at 3s
        @1 opened 0=ping 1, t0 at 5s, t1 at 2s, t2 at 3s, t3 at 3s
        pong 0=t0 at 5s, t1 at 2s, t3 at 3s
        wait 1=ping 1, t0 at 5s, t1 at 3s, t3 at 3s
        @1 pong 0=select 1, ping 1, t0 at 5s, t1 at 6s, t3 at 4s
        send 10=send 1 1..<2, forget <2, t0 at 5s, t1 at 6s, t3 at 4s
        @1 pong 0=t0 at 5s, t1 at 6s
        wait 3=ping 0, t0 at 17s, t1 at 6s, t2 at 7s
        pong 0=t0 at 17s, t1 at 6s
        wait 1=ping 1, t0 at 17s, t1 at 10s, t3 at 8s
        wait 2=select 0, ping 0, t0 at 12s, t1 at 10s, t2 at 10s
        pong 0=t0 at 12s, t1 at 10s
        wait 2=ping 1, t0 at 12s, t1 at 22s
        wait 2=ping 0, t0 at 16s, t1 at 22s, t2 at 14s
        pong 0=t0 at 16s, t1 at 22s
        wait 4=ping 0, t0 at 20s, t1 at 22s, t2 at 18s
        pong 0=t0 at 20s, t1 at 22s
        wait 1=t0 at 20s, t1 at 22s
        wait 1=t0 at 20s, t1 at 22s
        wait 1=t0 at 20s, t1 at 22s
        wait 1=ping 0, t0 at 24s, t1 at 22s, t2 at 22s
        pong 0=t0 at 24s, t1 at 22s
        wait 2=close 1, t0 at 24s, t5 at 29s
        @1 pong 0=t0 at 24s, t5 at 29s
        wait 2=ping 0, t0 at 28s, t2 at 26s, t5 at 29s
        pong 0=t0 at 28s, t5 at 29s
        wait 4=ping 0, t0 at 32s, t2 at 30s, t5 at 29s
        pong 0=t0 at 32s, t5 at 29s
        wait 1=connect 1 datagram none fresh, t0 at 32s
        @1 failed refused=t0 at 32s
        wait 3=ping 0, t0 at 36s, t2 at 34s
        wait 2=t0 at 36s, t4 at 64s
        send 10=send 0 2..<3, forget <3, t0 at 36s, t4 at 64s
        wait 2=ping 0, t0 at 37s, t4 at 64s
        wait 10=ping 0, ping 0, ping 0, ping 0, ping 0, ping 0, ping 0, ping 0, ping 0, ping 0, t0 at 47s, t4 at 64s
        wait 2=ping 0, close 0, t4 at 64s
        send 10=forget <4, t4 at 64s
        offline 0 lost=t4 at 64s
        wait 16=t4 at 94s
        wifi 2=connect 0 datagram none fresh, t4 at 94s
        opened 0=ping 0, t0 at 65s, t2 at 66s, t4 at 94s
        received 5=deliver <5, connect 1 datagram none fresh, t0 at 65s
        background=t0 at 65s
        cellular 3=close 0, connect 0 datagram none fresh, t4 at 94s
        """,
        """
        ice|paths: direct; on-path-change: nothing; consent: 9s
        started=connect 1 datagram none fresh
        wifi 4=connect 1 datagram none fresh
        @1 opened 0=ping 1, t1 at 900ms, t3 at 2500ms
        @1 pong 0=select 1, ping 1, t1 at 2500ms, t3 at 2500ms
        wifi 5=t1 at 2500ms, t3 at 2500ms
        @1 closed pathLost=
        send 10=forget <1
        wait 60=
        """,
    ]
}
