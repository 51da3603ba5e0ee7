extension StrategyStories {
    /// Visits, calls, messages and the life cycle of `composed`.
    static let apps: [String] = [
        """
        composed|keepalive.interval: 10s; keepalive.timeout: 3s; backoff.base: 4s; backoff.jitter: none; probe-timeout: 2s; life-cycle.foreground: probe; life-cycle.fresh: 5s; life-cycle.wake-lock: beat; on-path-change: probe
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=t1 at 10s
        wait 10=ping 0, awake, t2 at 13s
        pong 0=sleep, t1 at 20s
        wait 4=t1 at 20s
        background=t1 at 20s
        foreground=t1 at 20s
        wait 2=t1 at 20s
        foreground=ping 0, awake, t1 at 20s, t2 at 18s
        wait 1=t1 at 20s, t2 at 18s
        received 2=deliver <2, sleep, t1 at 27s
        foreground=t1 at 27s
        wait 6=t1 at 27s
        foreground=ping 0, awake, t1 at 27s, t2 at 25s
        wait 2=close 0, sleep, connect 0 webSocket tls13 from 2, t3 at 45s
        opened 2=t1 at 35s
        wait 13=ping 0, awake, close 0, sleep, t0 at 42s
        wait 3=t0 at 42s
        opened 2=t0 at 42s
        cellular 2=connect 0 webSocket tls13 from 2, t3 at 61s
        wait 1=t3 at 61s
        pong 0=t3 at 61s
        cellular 2=t3 at 61s
        wait 9=t3 at 61s
        stalled=t3 at 61s
        send 10=t3 at 61s
        writable=t3 at 61s
        wifi 3=close 0, connect 0 webSocket tls13 from 2, t3 at 71s
        wait 2=t3 at 71s
        wifi 4=close 0, connect 0 webSocket tls13 from 2, t3 at 73s
        failed refused=t0 at 57s
        wifi 5=connect 0 webSocket tls13 from 2, t3 at 73s
        opened 2=send 0 0..<1, t1 at 63s
        push=t1 at 63s
        """,
        """
        composed|keepalive.interval: 10s; keepalive.verdict: none; life-cycle.wake-lock: beat; life-cycle.on-push: 9s; keepalive.answered-by: pong; probe-timeout: 3s
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=t1 at 10s
        wait 10=ping 0, t1 at 20s
        push=ping 0, t1 at 20s, t2 at 13s
        received 2=deliver <2, t1 at 20s, t2 at 13s
        wait 1=t1 at 20s, t2 at 13s
        pong 0=t1 at 21s
        wait 30=ping 0, ping 0, ping 0, t1 at 51s
        push=ping 0, t1 at 51s, t2 at 44s
        wait 3=close 0, connect 0 webSocket tls13 from 2, t3 at 64s
        opened 2=t1 at 54s
        """,
        """
        composed|life-cycle.background: close; life-cycle.on-push: 10s; life-cycle.on-refresh: 8s; life-cycle.on-send: 6s; life-cycle.quiet: 2s; life-cycle.when-done: leave; life-cycle.wake-lock: visit; life-cycle.poll.every: 60s; life-cycle.poll.stay: 5s; backoff.base: 4s; backoff.jitter: none; calls.deadline: 20s
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=
        send 10=send 0 0..<1
        background=end 0, t7 at 60s job
        wait 60=awake, connect 0 webSocket tls13 from 0, t3 at 80s, t7 at 120s job, t8 at 65s
        opened 0=send 0 0..<1, t7 at 120s job, t8 at 65s
        responded=t7 at 120s job, t8 at 65s
        greeted 3 0=t7 at 120s job, t8 at 65s
        received 3=deliver <3, t7 at 120s job, t8 at 62s
        acked 1=end 0, sleep, t7 at 120s job
        push=awake, connect 0 webSocket tls13 from 3, t3 at 80s, t7 at 120s job, t8 at 70s
        opened 3=t7 at 120s job, t8 at 70s
        greeted 3 3=end 0, sleep, t7 at 120s job
        responded=t7 at 120s job
        acked 1=t7 at 120s job
        refresh=awake, connect 0 webSocket tls13 from 3, t3 at 80s, t7 at 120s job, t8 at 68s
        failed refused=t0 at 64s, t7 at 120s job, t8 at 68s
        wait 4=connect 0 webSocket tls13 from 3, t3 at 84s, t7 at 120s job, t8 at 68s
        failed refused=t0 at 72s, t7 at 120s job, t8 at 68s
        wait 4=sleep, t7 at 120s job
        send 10=awake, connect 0 webSocket tls13 from 3, t3 at 88s, t7 at 120s job, t8 at 74s
        call=t3 at 88s, t5 at 88s, t7 at 120s job, t8 at 74s
        opened 3=send 0 1..<2, call 0 #0, t5 at 88s, t7 at 120s job, t8 at 74s
        greeted 3 3=t5 at 88s, t7 at 120s job, t8 at 74s
        acked 2=t5 at 88s, t7 at 120s job, t8 at 74s
        answered 0=end 0, sleep, t7 at 120s job
        foreground=connect 0 webSocket tls13 from 3, t3 at 88s
        opened 3=
        responded=
        background=end 0, t7 at 120s job
        offline 0 lost=t7 at 120s job
        send 10=t7 at 120s job
        wifi 2=t7 at 120s job
        push=awake, connect 0 webSocket tls13 from 3, t3 at 88s, t7 at 120s job, t8 at 78s
        wait 10=end 0, sleep, t7 at 120s job
        expiring=t7 at 120s job
        foreground=connect 0 webSocket tls13 from 3, t3 at 98s
        wait 9=t3 at 98s
        """,
        """
        composed|life-cycle.background: flush-and-close; life-cycle.flush-limit: 7s; life-cycle.foreground: reconnect; life-cycle.wake-lock: connected; queue.keeps: stored; queue.flush: forget; resume: persisted
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=awake
        send 10=store <1, send 0 0..<1
        send 10=store <2, send 0 1..<2
        background=forget <2, t8 at 7s
        acked 1=t8 at 7s
        acked 2=end 0, sleep
        foreground=connect 0 webSocket tls13 from 0, t3 at 20s
        opened 0=awake
        received 4=deliver <4, persist <4
        send 10=store <3, send 0 2..<3
        background=forget <3, t8 at 7s
        wait 7=end 0, sleep
        push=
        foreground=connect 0 webSocket tls13 from 4, t3 at 27s
        opened 4=awake
        send 10=store <4, send 0 3..<4
        background=forget <4, t8 at 14s
        closed reset=sleep
        wait 99=
        started=
        foreground=connect 0 webSocket tls13 from 4, t3 at 126s
        opened 4=awake
        foreground=close 0, sleep, connect 0 webSocket tls13 from 4, t3 at 126s
        """,
        """
        composed|connect.when: validated; connect.timeout: 5s; connect.retry-after: heed; connect.when-denied: stop; connect.at-portal: 30s; backoff.base: 4s; backoff.jitter: none; backoff.wake: alarm; calls.unready: fail
        wifi 1 unvalidated=
        started=
        call=abandon #0 unavailable
        wifi 1 validated=connect 0 webSocket tls13 from 0, t3 at 5s
        wait 5=close 0, t0 at 9s alarm
        wait 4=connect 0 webSocket tls13 from 0, t3 at 14s
        call=t3 at 14s
        failed untrusted=abandon #1 unavailable, t0 at 39s alarm
        call=abandon #2 unavailable, t0 at 39s alarm
        wait 29=t0 at 39s alarm
        wait 1=connect 0 webSocket tls13 from 0, t3 at 44s
        refused later 40=t3 at 44s
        failed sessionRefused=t0 at 79s alarm
        wait 39=t0 at 79s alarm
        wait 1=connect 0 webSocket tls13 from 0, t3 at 84s
        opened 0=
        call=call 0 #3
        closed denied=abandon #3 unavailable, t0 at 83s alarm
        wait 4=connect 0 webSocket tls13 from 0, t3 at 88s
        wifi 1 blocked=t3 at 88s
        failed refused=t0 at 91s alarm
        wait 8=t0 at 107s alarm
        wait 9=t0 at 107s alarm
        wifi 1 unblocked=connect 0 webSocket tls13 from 0, t3 at 105s
        refused forever=t3 at 105s
        failed sessionRefused=
        wait 99=
        wait 99=
        foreground=
        push=
        """,
        """
        composed|channel.connects: on-demand; channel.idle-timeout: 30s; channel.stream: none; transport.kind: http2; transport.stream: false; calls.retry-policy.jitter: none; calls.deadline: 50s; backoff.base: 4s; backoff.jitter: none; keepalive.interval: 10s; keepalive.without-calls: false; on-path-change: reconnect
        started=
        wait 9=
        call=connect 0 http2 tls13 from 0, t3 at 29s, t5 at 59s
        opened 0=call 0 #0, t1 at 19s, t5 at 59s
        responded=t1 at 19s, t5 at 59s
        wait 12=ping 0, t2 at 29s, t5 at 59s
        answered 0=t1 at 31s, t10 at 51s
        wait 29=t1 at 51s, t10 at 51s
        wait 1=end 0
        send 10=connect 0 http2 tls13 from 0, t3 at 71s
        opened 0=send 0 0..<1, t1 at 61s
        responded=t1 at 61s
        acked 1=t1 at 61s, t10 at 81s
        call=call 0 #1, t1 at 61s, t5 at 101s
        rejected 1 unavailable=t1 at 61s, t5 at 101s, t10 at 52s
        wait 1=call 0 #1, t1 at 61s, t5 at 101s
        closed reset=connect 0 http2 tls13 from 0, t3 at 72s, t5 at 101s, t10 at 54s
        failed refused=t0 at 56s, t5 at 101s, t10 at 54s
        wait 4=connect 0 http2 tls13 from 0, t3 at 76s, t5 at 101s
        opened 0=call 0 #1, t1 at 66s, t5 at 101s
        responded=t1 at 66s, t5 at 101s
        answered 1=t1 at 66s, t10 at 86s
        closed reset=
        call=connect 0 http2 tls13 from 0, t3 at 76s, t5 at 106s
        cellular 2=close 0, connect 0 http2 tls13 from 0, t3 at 76s, t5 at 106s
        failed refused=t0 at 60s, t5 at 106s
        wait 3=t0 at 60s, t5 at 106s
        answered 2=t0 at 60s, t5 at 106s
        wait 9=connect 0 http2 tls13 from 0, t3 at 80s, t5 at 106s
        call=t3 at 80s, t5 at 106s
        rejected 3 unprocessed=t3 at 80s, t5 at 106s
        opened 0=call 0 #2, call 0 #3, t1 at 78s, t5 at 106s
        rejected 3 permissionDenied=abandon #3 permissionDenied, t1 at 78s, t5 at 106s
        rejected 3 unavailable=t1 at 78s, t5 at 106s
        wait 40=ping 0, close 0, connect 0 http2 tls13 from 0, abandon #2 deadlineExceeded, t3 at 112s
        goaway=t3 at 112s
        wait 99=close 0, connect 0 http2 tls13 from 0, close 0, connect 0 http2 tls13 from 0, close 0, t0 at 208s
        """,
        """
        composed|on-goaway: drain; transport.kind: http2; keepalive.interval: 10s; calls.retry: true; backoff.base: 4s; backoff.jitter: none; flow.enabled: false
        started=connect 0 http2 tls13 from 0, t3 at 20s
        opened 0=t1 at 10s
        call=call 0 #0, t1 at 10s
        call=call 0 #1, t1 at 10s
        goaway=connect 1 http2 tls13 from 0, t3 at 20s
        call=t3 at 20s
        send 10=t3 at 20s
        @0 received 3=deliver <3, t3 at 20s
        @1 opened 3=send 1 0..<1, call 1 #2, t1 at 10s
        @0 answered 0=t1 at 10s
        @0 acked 1=t1 at 10s
        @0 rejected 1 unavailable=t1 at 10s
        @0 answered 1=end 0, t1 at 10s
        @0 closed ended=t1 at 10s
        call=call 1 #3, t1 at 10s
        @1 goaway=connect 0 http2 tls13 from 3, t3 at 20s
        @0 opened 3=t1 at 10s
        @1 closed reset=call 0 #3, call 0 #2, t1 at 10s
        @0 answered 2=t1 at 10s
        call=call 0 #4, t1 at 10s
        @0 goaway=connect 1 http2 tls13 from 3, t3 at 20s
        @0 goaway tooManyPings=t3 at 20s
        """,
        """
        composed|calls.deadline: 5s; calls.probe-after: 2; calls.reconnect-after: 4; calls.offline: fail; probe-timeout: 3s; keepalive.interval: 60s; calls.low-battery: 9s; calls.in-background: 7s; backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        call=t3 at 20s, t5 at 5s
        opened 0=call 0 #0, t1 at 60s, t5 at 5s
        wait 5=abandon #0 deadlineExceeded, t1 at 60s
        call=call 0 #1, t1 at 60s, t5 at 10s
        wait 5=abandon #1 deadlineExceeded, ping 0, t1 at 60s, t2 at 13s
        pong 0=t1 at 70s
        call=call 0 #2, t1 at 70s, t5 at 15s
        call=call 0 #3, t1 at 70s, t5 at 15s
        wait 5=abandon #2 deadlineExceeded, abandon #3 deadlineExceeded, close 0, connect 0 webSocket tls13 from 0, t3 at 35s
        opened 0=t1 at 75s
        saver=t1 at 75s
        call=call 0 #4, t1 at 75s, t5 at 24s
        wait 9=abandon #4 deadlineExceeded, t1 at 75s
        background=t1 at 75s
        saver=t1 at 75s
        call=call 0 #5, t1 at 75s, t5 at 31s
        wait 7=abandon #5 deadlineExceeded, ping 0, t1 at 75s, t2 at 34s
        offline 0 lost=t1 at 75s, t2 at 34s
        call=abandon #6 unavailable, t1 at 75s, t2 at 34s
        wait 3=close 0
        wifi 3=connect 0 webSocket tls13 from 0, t3 at 54s
        call=t3 at 54s, t5 at 41s
        failed refused=t0 at 38s, t5 at 41s
        wait 7=connect 0 webSocket tls13 from 0, abandon #7 deadlineExceeded, t3 at 58s
        """,
        """
        composed|resume.keeps: persisted; resume.on-gap: resync; resume.store.every: 3; resume.store.within: 4s; resume.acknowledge.every: 2; resume.acknowledge.within: 5s; resume.window: 20s; resume.shows-after: 2s; backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        greeted 4 4=t3 at 20s
        opened 4=resync 0
        received 5=t9 at 2s
        wait 2=deliver <5, persist <5, t9 at 5s
        received 6=acknowledge 0 <6, t9 at 4s
        received 9=acknowledge 0 <9, t9 at 4s
        wait 2=deliver <9, persist <9
        wait 9=
        received 10=t9 at 15s
        closed reset=persist <9, t0 at 17s, t9 at 15s
        wait 4=deliver <10, connect 0 webSocket tls13 from 10, t3 at 37s, t9 at 19s
        opened 10=t9 at 19s
        greeted 12 11=resync 0, t9 at 19s
        greeted 12 12 snapshot=t9 at 19s
        received 12=acknowledge 0 <12, t9 at 19s
        wait 3=deliver <12, persist <12
        closed reset=persist <12, t0 at 24s
        wifi 9 blocked=t0 at 24s
        wait 30=
        wifi 9 unblocked=connect 0 webSocket tls13 snapshot, t3 at 70s
        opened 12=
        started=connect 0 webSocket tls13 snapshot, t3 at 70s
        opened 12=
        """,
        """
        composed|flow.enabled: true; flow.hop: 2s; flow.pending: 2; flow.small: 50B; flow.asks.first: 4; flow.asks.script: [{at=3s,ask=2} {at=9s}]; backoff.base: 4s; backoff.jitter: none
        started=connect 0 webSocket tls13 from 0, t3 at 20s, t11 at 3s
        send 10=t3 at 20s, t11 at 3s
        send 90=t3 at 20s, t11 at 3s
        send 90=t3 at 20s, t11 at 3s
        opened 0=send 0 0..<2, wrote, 2 pending, t11 at 2s
        send 10=t11 at 2s
        wait 2=called back 2, send 0 2..<4, wrote, 2 pending, t11 at 3s
        send 10=t11 at 3s
        wait 1=request 2, t11 at 4s
        send 90=t11 at 4s
        send 90=t11 at 4s
        send 90=t11 at 4s
        wait 2=called back 2, send 0 4..<6, wrote, 2 pending, t11 at 6s
        closed reset=t0 at 9s, t11 at 9s
        send 10=t0 at 9s, t11 at 9s
        wait 4=connect 0 webSocket tls13 from 0, request 1, t3 at 29s
        opened 0=send 0 0..<2, wrote, 2 pending, t11 at 11s
        wait 9=called back 2, send 0 2..<4, wrote, 2 pending, called back 2, send 0 4..<6, wrote, 2 pending, called back 2, send 0 6..<8, wrote, 2 pending, called back 2, send 0 8..<9, wrote, 1 pending, t11 at 19s
        background=t11 at 19s
        """,
        """
        composed|queue.keeps: memory; queue.bound: 2; queue.overflow: halve; write-limit.after: 5s; write-limit.bytes: 100B; backoff.base: 4s; backoff.jitter: none; backoff.after-open: 1s; backoff.after-silence: 2s; backoff.reset: settings; backoff.give-up.retries: 2; keepalive.interval: 10s; keepalive.queue: writer; keepalive.timeout: 3s
        started=connect 0 webSocket tls13 from 0, t3 at 20s
        send 10=t3 at 20s
        send 10=t3 at 20s
        send 10=evict <1, gap up, t3 at 20s
        opened 0=send 0 1..<3, t1 at 10s
        responded=t1 at 10s
        stalled=t1 at 10s, t6 at 5s
        send 90=evict <2, gap up, send 0 3..<4, t1 at 10s, t6 at 5s
        send 11=evict <3, gap up, send 0 4..<5, close 0, t0 at 1s
        wait 1=connect 0 webSocket tls13 from 0, t3 at 21s
        opened 0=send 0 3..<5, t1 at 11s
        responded=t1 at 11s
        stalled=t1 at 11s, t6 at 6s
        wait 5=close 0, t0 at 7s
        wait 1=connect 0 webSocket tls13 from 0, t3 at 27s
        opened 0=send 0 3..<5, t1 at 17s
        responded=t1 at 17s
        wait 13=ping 0, close 0, t0 at 22s
        wait 2=connect 0 webSocket tls13 from 0, t3 at 42s
        opened 0=send 0 3..<5, t1 at 32s
        closed reset=t0 at 26s
        wait 4=connect 0 webSocket tls13 from 0, t3 at 46s
        failed refused=t0 at 34s
        wait 8=connect 0 webSocket tls13 from 0, t3 at 54s
        failed refused=
        wait 60=
        call=
        send 10=evict <4, gap up
        cellular 9=
        foreground=
        push=
        """,
    ]
}
