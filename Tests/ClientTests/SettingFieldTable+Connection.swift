extension SettingFieldTable {
    /// Settings of the transport, the attempts, the backoff and the keepalive.
    static let connection = """
        |transport: websocket|
        |transport: http2|transportSettings.transport.kind=http2
        |transport: grpc|transportSettings.transport.kind=grpc
        |transport: quic|transportSettings.transport.kind=quic
        |transport: mqtt|transportSettings.transport.kind=mqtt
        |transport: sse|transportSettings.transport.kind=serverSentEvents
        |transport: long-polling|transportSettings.transport.kind=longPolling
        |transport: polling|transportSettings.transport.kind=polling
        |transport: datagram|transportSettings.transport.kind=datagram transportSettings.transport.security=none resume.retention=nothing queue.retention=nothing
        |transport.kind: grpc|transportSettings.transport.kind=grpc
        |transport.kind: datagram|transportSettings.transport.kind=datagram transportSettings.transport.security=none resume.retention=nothing queue.retention=nothing
        |transport.tls: none|transportSettings.transport.security=none
        |transport.tls: 1.2|transportSettings.transport.security=tls12
        |transport.tls: 1.2-resumed|transportSettings.transport.security=tls12Resumed
        |transport.tls: 1.3|
        |transport.tls: 1.3-resumed|transportSettings.transport.security=tls13Resumed
        |transport.tls: 1.3-early|transportSettings.transport.security=tls13Early
        |transport.api: framework|transportSettings.transport.socketAPI=framework
        |transport.kind: sse; transport.headers.request: 2B|transportSettings.transport.kind=serverSentEvents transportSettings.transport.headerSizes.request=2
        |transport.kind: long-polling; transport.headers.answer: 3B|transportSettings.transport.kind=longPolling transportSettings.transport.headerSizes.answer=3
        |transport.kind: polling; transport.headers.answer: 4B|transportSettings.transport.kind=polling transportSettings.transport.headerSizes.answer=4
        |transport.kind: mqtt; transport.keep-alive: 7s|transportSettings.transport.kind=mqtt transportSettings.transport.mqttKeepAlive=7s
        |transport.user-timeout: 8ms|transportSettings.transport.userTimeout=8ms
        |transport: tcp|transportSettings.transport.kind=tcp
        |transport.syn-retries: 3|transportSettings.transport.synRetries=3
        |transport.tcp-keepalive: {}|transportSettings.transport.tcpKeepalive.idle=7200s transportSettings.transport.tcpKeepalive.interval=75s transportSettings.transport.tcpKeepalive.count=9
        transport.tcp-keepalive.count: 9|transport.tcp-keepalive.idle: 3s|transportSettings.transport.tcpKeepalive.idle=3s
        transport.tcp-keepalive.idle: 9s|transport.tcp-keepalive.interval: 4s|transportSettings.transport.tcpKeepalive.interval=4s
        transport.tcp-keepalive.idle: 9s|transport.tcp-keepalive.count: 5|transportSettings.transport.tcpKeepalive.count=5
        |transport.send-buffer: 6B|transportSettings.transport.sendBuffer=6
        |transport.race-addresses: false|transportSettings.transport.racesAddresses=false
        |transport.address-timeout: 7ms|transportSettings.transport.addressTimeout=7ms
        |transport.setup-timeout: 8ms|transportSettings.transport.setupTimeout=8ms
        |transport.kind: quic; transport.library: quic-go|transportSettings.transport.kind=quic transportSettings.transport.quicLibrary=quicGo
        |transport.kind: quic; transport.library: aioquic|transportSettings.transport.kind=quic transportSettings.transport.quicLibrary=aioquic
        |transport.kind: quic; transport.library: quiche|transportSettings.transport.kind=quic transportSettings.transport.quicLibrary=quiche
        |transport.kind: quic; transport.library: rfc-9002|transportSettings.transport.kind=quic
        |transport.kind: http2; transport.stream: false|transportSettings.transport.kind=http2 transportSettings.transport.keepsStreamOpen=false
        |transport.ladder: [quic http2]|transportSettings.transport.kind=quic transportSettings.ladder.transports=[quic tls13 socket standard nil nil nil nil true nil nil true nil 300 150 none false none, http2 tls13 socket standard nil nil nil nil true nil nil true nil 300 150 none false none] transportSettings.ladder.failures=1 transportSettings.ladder.attemptLimit=nil transportSettings.ladder.memory=network transportSettings.ladder.climbsAfter=longest transportSettings.ladder.climbLimit=longest
        transport.ladder: [quic sse]|transport.falls-after: 2s|transportSettings.ladder.attemptLimit=2s
        transport.ladder: [quic sse]|transport.falls-after.limit: 3s|transportSettings.ladder.attemptLimit=3s
        transport.ladder: [quic sse]|transport.falls-after.failures: 3|transportSettings.ladder.failures=3
        transport.ladder: [quic sse]|transport.climbs: 9s|transportSettings.ladder.climbsAfter=9s transportSettings.ladder.climbLimit=9s
        transport.ladder: [quic sse]|transport.climbs: {}|transportSettings.ladder.climbsAfter=300s transportSettings.ladder.climbLimit=300s
        transport.ladder: [quic sse]|transport.climbs.after: 9s|transportSettings.ladder.climbsAfter=9s transportSettings.ladder.climbLimit=9s
        transport.ladder: [quic sse]|transport.climbs.cap: 1h|transportSettings.ladder.climbsAfter=300s transportSettings.ladder.climbLimit=3600s
        transport.ladder: [quic sse]|transport.remembers: nothing|transportSettings.ladder.memory=nothing
        transport.ladder: [quic sse]|transport.remembers: process|transportSettings.ladder.memory=process
        transport.ladder: [quic sse]|transport.remembers: network|
        |connect.when: always|connect.requirement=open
        |connect.when: available|
        |connect.when: validated|connect.requirement=validated
        |connect.when: unmetered|connect.requirement=unmetered
        |connect.timeout: 3s|connect.timeout=3s
        |connect.retry-after: heed|connect.honoursRetryAfter=true
        |connect.when-denied: stop|connect.stopsWhenDenied=true retry.onEnd.kindRules=[forbidden hold process]
        |connect.at-portal: 9ms|connect.portalWait=9ms
        |backoff.base: 9s|retry.backoff.base=9s
        |backoff.base: 40s|retry.backoff.base=40s retry.backoff.cap=40s
        |backoff.cap: 9s|retry.backoff.cap=9s
        |backoff.multiplier: 3|retry.backoff.growth.value=3000000
        |backoff.first: 9s|retry.backoff.first=9s
        |backoff.step: 9s|retry.backoff.growth=step retry.backoff.growth.value=9s
        |backoff.capped: after-jitter|retry.backoff.capPlacement=afterJitter
        |backoff.capped: both|retry.backoff.capPlacement=both
        |backoff.plus: 9s|retry.backoff.plus=9s
        |backoff.first-jitter: equal|retry.backoff.firstJitter=equal
        |backoff.jitter: none|retry.backoff.jitter=none
        |backoff.jitter: equal|retry.backoff.jitter=equal
        |backoff.jitter: decorrelated|retry.backoff.jitter=decorrelated
        |backoff.jitter: 20%|retry.backoff.jitter=spread retry.backoff.jitter.value=200000
        |backoff.jitter: {plus=[1s 2s]}|retry.backoff.jitter=plus retry.backoff.jitter.0=1s retry.backoff.jitter.1=2s
        |backoff.jitter: {times=[0.8 1]}|retry.backoff.jitter=times retry.backoff.jitter.0=800000 retry.backoff.jitter.1=1000000
        |backoff.jitter: {parity=50%}|retry.backoff.jitter=parity retry.backoff.jitter.value=500000
        |backoff.jitter: {per-process=[1s 4s]}|retry.backoff.jitter=perProcess retry.backoff.jitter.0=1s retry.backoff.jitter.1=4s
        |backoff.table: [1s 2s]|retry.backoff.base=0s retry.backoff.growth=table retry.backoff.growth.value=["1s", "2s"] retry.backoff.cap=longest retry.backoff.jitter=none
        |backoff.table: [1s 2s]; backoff.jitter: full|retry.backoff.base=0s retry.backoff.growth=table retry.backoff.growth.value=["1s", "2s"] retry.backoff.cap=longest
        |backoff.from: attempt|retry.waitOrigin=attempt
        |backoff.from: attempt-then-jitter|retry.waitOrigin=attemptThenJitter
        |backoff.min-connect-timeout: 9s|retry.minConnectTimeout=9s
        |backoff.after-open: 9s|retry.afterOpen.wait=9s retry.afterOpen.counts=false
        |backoff.after-open.counts: true|retry.afterOpen.wait=0s retry.afterOpen.counts=true
        |backoff.after-open.wait: 3s|retry.afterOpen.wait=3s retry.afterOpen.counts=false
        |backoff.after-silence: 8s|retry.afterSilence.wait=8s retry.afterSilence.counts=false
        |backoff.after-silence.counts: true|retry.afterSilence.wait=0s retry.afterSilence.counts=true
        |backoff.reset: open|
        |backoff.reset: settings|retry.reset=serverResponded
        |backoff.reset: message|retry.reset=received
        |backoff.reset: path|retry.reset=path
        |backoff.reset: never|retry.reset=never
        |backoff.reset: {up=9s}|retry.reset=up retry.reset.value=9s
        |backoff.give-up.retries: 0|retry.limit.retries=0
        |backoff.give-up.after: 9s|retry.limit.after=9s
        |backoff.suspended: {}|retry.suspension.after=120s retry.suspension.wait=30s retry.suspension.restarts=false
        |backoff.suspended.after: 9s|retry.suspension.after=9s retry.suspension.wait=30s retry.suspension.restarts=false
        |backoff.suspended.restarts: unanswered|retry.suspension.after=120s retry.suspension.wait=30s retry.suspension.restarts=true
        |backoff.suspended.wait: 9s|retry.suspension.after=120s retry.suspension.wait=9s retry.suspension.restarts=false
        |backoff.in-background: longest-wait|retry.inBackground=longest
        |backoff.in-background: hold|retry.inBackground=hold
        |backoff.when-denied: stop|retry.onEnd.kindRules=[denied stop]
        |backoff.on-end.denied: stop|retry.onEnd.kindRules=[denied stop]
        |backoff.on-end.goaway: 9s|retry.onEnd.kindRules=[goAway wait 9s]
        |backoff.on-end.no-path: uncounted; backoff.on-end.silent: longest-wait|retry.onEnd.kindRules=[noPath uncounted, silent longest]
        |backoff.on-end.4400: never; backoff.on-end.4401: until-path|retry.onEnd.codeRules=[4400 4400 hold process, 4401 4401 hold path]
        |backoff.on-end.4400-4499: until-foreground|retry.onEnd.codeRules=[4400 4499 hold foreground]
        |backoff.clock: uptime|retry.timing.clock=uptime
        |backoff.clock: wall|retry.timing.clock=wall
        |backoff.wake: alarm|retry.timing.wake=alarm
        |backoff.wake: while-idle|retry.timing.wake=whileIdle
        |backoff.wake: job|retry.timing.wake=job
        |keepalive: 45s|keepsAlive=true keepalive.interval=45s
        keepalive: 45s|keepalive: 9s|
        keepalive.interval: 45s|keepalive.machine: grpc-java|keepalive.implementation=java keepalive.shortestInterval=10s
        keepalive.interval: 45s|keepalive.machine: grpc-go|keepalive.implementation=go keepalive.shortestInterval=10s
        keepalive.interval: 45s|keepalive.without-calls: false|keepalive.pingsWithoutCalls=false
        keepalive.interval: 45s|keepalive.on-too-many-pings: keep|keepalive.doublesOnTooManyPings=false
        keepalive.interval: 45s|keepalive.user-timeout: true|keepalive.setsUserTimeout=true
        keepalive.interval: 45s|keepalive.on-wifi: 9s|keepalive.wifiInterval=9s
        keepalive.interval: 45s|keepalive.on-cellular: 9s|keepalive.cellularInterval=9s
        keepalive.interval: 45s|keepalive.adaptive: {}|keepalive.adaptive.rule=stepwise keepalive.adaptive.shortest=210s keepalive.adaptive.longest=600s keepalive.adaptive.start=nil keepalive.adaptive.step=60s keepalive.adaptive.margin=20s keepalive.adaptive.successes=5 keepalive.adaptive.failures=2 keepalive.adaptive.trials=3 keepalive.adaptive.isShortestInForeground=true
        keepalive.interval: 45s|keepalive.adaptive.law: scaled|keepalive.adaptive.rule=scaled keepalive.adaptive.shortest=210s keepalive.adaptive.longest=600s keepalive.adaptive.start=nil keepalive.adaptive.step=60s keepalive.adaptive.margin=20s keepalive.adaptive.successes=5 keepalive.adaptive.failures=2 keepalive.adaptive.trials=3 keepalive.adaptive.isShortestInForeground=true
        keepalive.adaptive.max: 9m|keepalive.adaptive.min: 9s|keepalive.adaptive.shortest=9s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.max: 9m|keepalive.adaptive.longest=540s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.min: 11m|keepalive.adaptive.shortest=660s keepalive.adaptive.longest=660s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.start: 9s|keepalive.adaptive.start=9s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.step: 9s|keepalive.adaptive.step=9s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.margin: 9s|keepalive.adaptive.margin=9s
        keepalive.adaptive.law: stepwise|keepalive.adaptive.successes: 9|keepalive.adaptive.successes=9
        keepalive.adaptive.law: stepwise|keepalive.adaptive.failures: 9|keepalive.adaptive.failures=9
        keepalive.adaptive.law: stepwise|keepalive.adaptive.trials: 9|keepalive.adaptive.trials=9
        keepalive.adaptive.law: stepwise|keepalive.adaptive.foreground-min: false|keepalive.adaptive.isShortestInForeground=false
        keepalive.interval: 45s|keepalive.from-server: true|keepalive.usesServerInterval=true
        keepalive.interval: 45s|keepalive.first: random|keepalive.isFirstRandom=true
        keepalive.interval: 45s|keepalive.pings: false|keepalive.sendsPings=false
        keepalive.interval: 45s|keepalive.stand-in: 9s|keepalive.serverBeatGrace=9s
        keepalive.interval: 45s|keepalive.coalesce: 9s|keepalive.coalesceWindow=9s
        keepalive.interval: 45s|keepalive.verdict: next-beat|keepalive.failureDetection=nextBeat
        keepalive.interval: 45s|keepalive.verdict: silence|keepalive.failureDetection=silence
        keepalive.interval: 45s|keepalive.verdict: none|keepalive.failureDetection=never
        keepalive.interval: 45s|keepalive.timeout: 9s|keepalive.timeout=9s
        keepalive.interval: 45s|keepalive.own-timeout: 9s|keepalive.timerTimeout=9s
        keepalive.interval: 45s|keepalive.timeout-wake: alarm|keepalive.timeoutWake=alarm
        keepalive.interval: 45s|keepalive.timeout-wake: while-idle|keepalive.timeoutWake=whileIdle
        keepalive.interval: 45s|keepalive.timeout-wake: job|keepalive.timeoutWake=job
        keepalive.interval: 45s|keepalive.verdict: next-beat; keepalive.unanswered: 3|keepalive.unanswered=3 keepalive.failureDetection=nextBeat
        keepalive.interval: 45s|keepalive.verdict: silence; keepalive.silence: 9s|keepalive.silence=9s keepalive.failureDetection=silence
        keepalive.interval: 45s|keepalive.verdict: silence; keepalive.looks-every: [9s]|keepalive.checkInterval=9s...9s keepalive.failureDetection=silence
        keepalive.interval: 45s|keepalive.verdict: silence; keepalive.looks-every: [8s 9s]|keepalive.checkInterval=8s...9s keepalive.failureDetection=silence
        keepalive.interval: 45s|keepalive.answered-by: pong|keepalive.needsPong=true
        keepalive.interval: 45s|keepalive.postponed-by: nothing|keepalive.postponement=nothing
        keepalive.interval: 45s|keepalive.postponed-by: sent|keepalive.postponement=sent
        keepalive.interval: 45s|keepalive.postponed-by: traffic|keepalive.postponement=traffic
        keepalive.interval: 45s|keepalive.postponed-by: both|keepalive.postponement=both
        keepalive.interval: 45s|keepalive.queue: writer|keepalive.waitsForWriter=true
        keepalive.interval: 45s|keepalive.send-limit: {}|keepalive.budget.most=2 keepalive.budget.overBudget=block keepalive.budget.throttle=60s keepalive.budget.gap=0s keepalive.budget.counting=always
        keepalive.send-limit.gap: 1s|keepalive.send-limit.without-data: 9|keepalive.budget.most=9
        keepalive.send-limit.gap: 1s|keepalive.send-limit.then: throttle|keepalive.budget.overBudget=throttle
        keepalive.send-limit.gap: 1s|keepalive.send-limit.throttle: 9s|keepalive.budget.throttle=9s
        keepalive.send-limit.then: block|keepalive.send-limit.gap: 9s|keepalive.budget.gap=9s
        keepalive.send-limit.gap: 1s|keepalive.send-limit.counts: without-streams|keepalive.budget.counting=withoutStreams
        keepalive.interval: 45s|keepalive.clock: uptime|keepalive.timing.clock=uptime
        keepalive.interval: 45s|keepalive.clock: wall|keepalive.timing.clock=wall
        keepalive.interval: 45s|keepalive.wake: alarm|keepalive.timing.wake=alarm
        keepalive.interval: 45s|keepalive.wake: while-idle|keepalive.timing.wake=whileIdle
        keepalive.interval: 45s|keepalive.wake: job|keepalive.timing.wake=job
        keepalive.interval: 45s|keepalive.decides-by: uptime|keepalive.decisionClock=uptime
        keepalive.interval: 45s|keepalive.decides-by: elapsed|keepalive.decisionClock=elapsed
        keepalive.interval: 45s|keepalive.decides-by: wall|keepalive.decisionClock=wall

        """
}
