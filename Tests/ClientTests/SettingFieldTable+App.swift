extension SettingFieldTable {
    /// Settings of network changes, calls, messages and the life cycle.
    static let app = """
        |on-path-change: hurry|path=hurry ignore hurry ignore ignore ignore ignore ignore, handle, 0s, true, slot 4
        transport: quic|on-path-change: migrate|path=migrate ignore migrate ignore ignore ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.available: hurry|path=hurry ignore ignore ignore ignore ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.lost: probe|path=ignore ignore probe ignore ignore ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.losing: drop|path=ignore drop ignore ignore ignore ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.validated: reconnect|path=ignore ignore ignore reconnect ignore ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.unvalidated: probe|path=ignore ignore ignore ignore probe ignore ignore ignore, handle, 0s, true, slot 4
        |on-path-change.blocked: hurry|path=ignore ignore ignore ignore ignore hurry ignore ignore, handle, 0s, true, slot 4
        |on-path-change.unblocked: drop|path=ignore ignore ignore ignore ignore ignore drop ignore, handle, 0s, true, slot 4
        |on-path-change.capabilities: reconnect|path=ignore ignore ignore ignore ignore ignore ignore reconnect, handle, 0s, true, slot 4
        on-path-change.available: drop|on-path-change.compares: category|path=drop ignore ignore ignore ignore ignore ignore ignore, category, 0s, true, slot 4
        on-path-change.available: drop|on-path-change.compares: nothing|path=drop ignore ignore ignore ignore ignore ignore ignore, nothing, 0s, true, slot 4
        on-path-change.available: drop|on-path-change.debounce: 9s|path=drop ignore ignore ignore ignore ignore ignore ignore, handle, 9s, true, slot 4
        on-path-change.available: drop|on-path-change.resets-backoff: false|path=drop ignore ignore ignore ignore ignore ignore ignore, handle, 0s, false, slot 4
        |probe-timeout: 9s|probeTimeout=9s
        |calls.deadline: 9s|deadlines.limit=9s
        |calls.in-background: 9s|deadlines.backgroundLimit=9s
        |calls.low-battery: 9s|deadlines.batterySaverLimit=9s
        |calls.slow-network.deadline: 9s|deadlines.slowNetwork.threshold=1s deadlines.slowNetwork.limit=9s
        |calls.slow-network.deadline: 9s; calls.slow-network.above: 8s|deadlines.slowNetwork.threshold=8s deadlines.slowNetwork.limit=9s
        |calls.clock: wall|deadlines.timing.clock=wall
        |calls.wake: alarm|deadlines.timing.wake=alarm
        |calls.retry: false|deadlines.retriesAfterReconnect=false
        |calls.retry-policy: {}|deadlines.retry.policy=retry deadlines.retry.policy.0.base=1s deadlines.retry.policy.0.growth=times deadlines.retry.policy.0.growth.value=2000000 deadlines.retry.policy.0.cap=30s deadlines.retry.policy.0.capPlacement=beforeJitter deadlines.retry.policy.0.jitter=none deadlines.retry.policy.0.firstJitter=nil deadlines.retry.policy.0.first=nil deadlines.retry.policy.0.plus=0s deadlines.retry.policy.1=fifth deadlines.retry.attempts=5 deadlines.retry.codes=unavailable deadlines.retry.slot=slot 10
        calls.retry-policy.max-attempts: 4|calls.retry-policy.initial-backoff: 9s|deadlines.retry.policy.0.base=9s
        calls.retry-policy.max-attempts: 4|calls.retry-policy.initial-backoff: 40s|deadlines.retry.policy.0.base=40s deadlines.retry.policy.0.cap=40s
        calls.retry-policy.max-attempts: 4|calls.retry-policy.backoff-multiplier: 3|deadlines.retry.policy.0.growth.value=3000000
        calls.retry-policy.max-attempts: 4|calls.retry-policy.max-backoff: 9s|deadlines.retry.policy.0.cap=9s
        calls.retry-policy.max-attempts: 4|calls.retry-policy.jitter: none|deadlines.retry.policy.1=none
        calls.retry-policy.max-attempts: 4|calls.retry-policy.jitter: full|deadlines.retry.policy.1=full
        calls.retry-policy.jitter: none|calls.retry-policy.max-attempts: 3|deadlines.retry.attempts=3
        calls.retry-policy.max-attempts: 4|calls.retry-policy.retryable-codes: [resource-exhausted permission-denied]|deadlines.retry.codes=resourceExhausted+permissionDenied
        |calls.hedging-policy: {}|deadlines.retry.policy=hedge deadlines.retry.policy.value=0s deadlines.retry.attempts=5 deadlines.retry.codes=unavailable deadlines.retry.slot=slot 10
        calls.hedging-policy.max-attempts: 4|calls.hedging-policy.delay: 9s|deadlines.retry.policy.value=9s
        calls.hedging-policy.max-attempts: 4|calls.hedging-policy.max-attempts: 3|
        calls.hedging-policy.max-attempts: 4|calls.hedging-policy.non-fatal-codes: [resource-exhausted unavailable]|deadlines.retry.codes=unavailable+resourceExhausted
        calls.retry-policy: {}|calls.retry-throttling: {}|deadlines.throttle.tokens=10 deadlines.throttle.ratio=100
        calls.retry-policy: {}|calls.retry-throttling.max-tokens: 9|deadlines.throttle.tokens=9 deadlines.throttle.ratio=100
        calls.retry-policy: {}|calls.retry-throttling.token-ratio: 0.5|deadlines.throttle.tokens=10 deadlines.throttle.ratio=500
        |calls.unready: attempt|deadlines.whenNotConnected=attempt
        |calls.unready: fail|deadlines.whenNotConnected=fail
        |calls.offline: fail|deadlines.failsOffline=true
        |calls.probe-after: 9|deadlines.probeAfter=9
        |calls.reconnect-after: 8|deadlines.reconnectAfter=8
        |intake.buffer: [{capacity=9}]|receivePolicy.buffer.capacity=9
        |intake.buffer: [{}]|receivePolicy.buffer.capacity=64
        |intake.buffer: [{conflate=true}]|receivePolicy.buffer.capacity=0 receivePolicy.buffer.overflow=dropOldest
        |intake.buffer: [{overflow=drop-oldest}]|receivePolicy.buffer.capacity=64 receivePolicy.buffer.overflow=dropOldest
        |intake.buffer: [{overflow=drop-latest}]|receivePolicy.buffer.capacity=64 receivePolicy.buffer.overflow=dropLatest
        |intake.buffer: [{overflow=drop-latest} {capacity=3}]|receivePolicy.buffer.capacity=67 receivePolicy.buffer.overflow=dropLatest
        |intake.read-ahead: 9|receivePolicy.demand.initial=9 receivePolicy.demand.refill=1 receivePolicy.demand.refillAfter=1
        |intake.cursor: received|receivePolicy.cursor=received
        |intake.window: 9B|receivePolicy.window=9
        |intake.connection-window: received|receivePolicy.blocksConnectionWindow=false
        |flow: enabled|flow.isEnabled=true receivePolicy.demand.initial=1 receivePolicy.demand.refill=1 receivePolicy.demand.refillAfter=1
        |flow: disabled|
        |flow.enabled: false|
        flow: enabled|flow.enabled: true|
        flow.enabled: true|flow.hop: 9s|flow.callbackDelay=9s
        flow.enabled: true|flow.small: 9B|flow.immediateCallbackBytes=9
        flow.enabled: true|flow.pending: 9|flow.mostPending=9
        flow.enabled: true|flow.asks: freely|flow.demand=nil receivePolicy.demand=nil
        flow.enabled: true|flow.asks: one-by-one|
        flow.enabled: true|flow.asks.first: 9|flow.demand.initial=9 receivePolicy.demand.initial=9
        flow.enabled: true|flow.asks.then: 9|flow.demand.refill=9 receivePolicy.demand.refill=9
        flow.enabled: true|flow.asks.after: 9|flow.demand.refillAfter=9 receivePolicy.demand.refillAfter=9
        flow.enabled: true|flow.asks.script: [{at=5s,ask=2} {at=1s}]|flow.script=[1s 1, 5s 2]
        |channel: {}|channel.isLazy=false channel.afterLoss=idle channel.afterFailure=reconnect channel.idleTimeout=1800s channel.hasStream=true channel.slot=slot 10 hasIdleTimer=true
        channel: {}|channel.connects: on-demand|channel.isLazy=true
        channel: {}|channel.after-loss: reconnect|channel.afterLoss=reconnect
        channel: {}|channel.after-failure: idle|channel.afterFailure=idle
        channel: {}|channel.idle-timeout: 9s|channel.idleTimeout=9s
        channel: {}|channel.idle-timeout: 719h|channel.idleTimeout=2588400s
        channel: {}|channel.idle-timeout: 720h|channel.idleTimeout=nil hasIdleTimer=false
        channel: {}|channel.stream: none|channel.hasStream=false
        |write-limit: 9s|writeLimit.limit=9s
        |write-limit.after: 8s|writeLimit.limit=8s
        |write-limit.bytes: 9B|writeLimit.bytes=9
        |life-cycle.background: close|life.onBackground=close
        |life-cycle.background: flush-and-close|life.onBackground=flush
        |life-cycle.background: rely-on-push|life.onBackground=relyOnPush
        life-cycle.background: flush-and-close|life-cycle.flush-limit: 9s|life.flushLimit=9s
        life-cycle.background: rely-on-push|life-cycle.flush-limit: 9s|life.flushLimit=9s
        |life-cycle.foreground: probe|life.onForeground=probe
        |life-cycle.foreground: reconnect|life.onForeground=reconnect
        |life-cycle.fresh: 9s|life.freshFor=9s
        |life-cycle.on-push: 9s|life.pushVisitLength=9s
        |life-cycle.on-deleted: ignore|life.syncsOnDiscardedPushes=false
        |life-cycle.push-token: at-start|life.pushToken=atStart
        |life-cycle.push-token: on-foreground|life.pushToken=onForeground
        |life-cycle.on-refresh: 9s|life.refreshVisitLength=9s
        |life-cycle.quiet: 9s|life.quietLimit=9s
        |life-cycle.when-done: leave|life.endsVisitWhenDone=true
        |life-cycle.on-send: 9s|life.sendVisitLength=9s
        life-cycle.background: close|life-cycle.poll: {}|life.pollInterval=900s life.pollTiming.wake=job
        life-cycle.background: close|life-cycle.poll.every: 9s|life.pollInterval=9s life.pollTiming.wake=job
        life-cycle.background: close|life-cycle.poll.stay: 9s|life.pollInterval=900s life.pollVisitLength=9s life.pollTiming.wake=job
        life-cycle.background: close|life-cycle.poll.clock: wall|life.pollInterval=900s life.pollTiming.clock=wall life.pollTiming.wake=job
        life-cycle.background: close|life-cycle.poll.wake: none|life.pollInterval=900s
        life-cycle.background: close|life-cycle.poll.backoff: {}|life.pollInterval=900s life.pollTiming.wake=job life.pollBackoff.base=30s life.pollBackoff.growth=times life.pollBackoff.growth.value=2000000 life.pollBackoff.cap=18000s life.pollBackoff.capPlacement=beforeJitter life.pollBackoff.jitter=none life.pollBackoff.firstJitter=nil life.pollBackoff.first=nil life.pollBackoff.plus=0s
        |life-cycle.wake-lock: connected|life.wakeLock=connected
        |life-cycle.wake-lock: beat|life.wakeLock=beat
        |life-cycle.wake-lock: visit|life.wakeLock=backgroundActivity
        |life-cycle.exempt: true|life.privileges.isExempt=true
        |life-cycle.foreground-service: true|life.privileges.hasForegroundService=true
        life-cycle.foreground-service: true|life-cycle.service-type: data-sync|life.privileges.serviceType=dataSync
        life-cycle.foreground-service: true|life-cycle.service-type: short|life.privileges.serviceType=short
        life-cycle.foreground-service: true|life-cycle.service-timeout: ignore|life.privileges.stopsServiceInTime=false
        |life-cycle.unrestricted-data: true|life.privileges.hasUnrestrictedData=true
        |life-cycle.asks-for-time: true|life.privileges.requestsTime=true
        |claims.up: at-most-once|guarantees.up=atMostOnce
        |claims.up: at-least-once|guarantees.up=atLeastOnce
        |claims.down: exactly-once|guarantees.down=exactlyOnce
        |claims.ordered: true|guarantees.isOrdered=true
        |resume: nothing|resume.retention=nothing queue.retention=nothing
        |resume: cursor|
        |resume: persisted|resume.retention=persisted queue.retention=stored
        |resume.keeps: nothing|resume.retention=nothing queue.retention=nothing
        |resume.keeps: persisted|resume.retention=persisted queue.retention=stored
        |resume.handshake: sequences|resume.handshake=sequences
        |resume.on-gap: mark|resume.onGap=mark
        |resume.on-gap: resync|resume.onGap=resync
        |resume.stores: before-showing|resume.storesBeforeShowing=true
        |resume.store: {}|resume.storeBatch.within=1s
        |resume.store.every: 9|resume.storeBatch.every=9 resume.storeBatch.within=1s
        |resume.store.within: 9s|resume.storeBatch.within=9s
        |resume.shows-after: 9s|resume.showDelay=9s
        |resume.acknowledge: {}|resume.acknowledgeBatch.every=1 resume.acknowledgeBatch.within=1s
        |resume.acknowledge.every: 9|resume.acknowledgeBatch.every=9 resume.acknowledgeBatch.within=1s
        |resume.acknowledge.within: 9s|resume.acknowledgeBatch.every=1 resume.acknowledgeBatch.within=9s
        |resume.window: 9s|resume.window=9s
        |resume.dedup: cursor|
        |resume.dedup: none|resume.deduplication=nothing
        |resume.dedup: {}|resume.deduplication=bloom resume.deduplication.bits=4096 resume.deduplication.hashes=3 resume.deduplication.keys=1000
        |resume.dedup.bloom: 9B|resume.deduplication=bloom resume.deduplication.bits=72 resume.deduplication.hashes=3 resume.deduplication.keys=1000
        |resume.dedup.hashes: 9|resume.deduplication=bloom resume.deduplication.bits=4096 resume.deduplication.hashes=9 resume.deduplication.keys=1000
        |resume.dedup.keys: 9|resume.deduplication=bloom resume.deduplication.bits=4096 resume.deduplication.hashes=3 resume.deduplication.keys=9
        |queue: none|queue.retention=nothing
        |queue: memory|
        |queue: stored|queue.retention=stored
        |queue: {}|queue.retention=stored
        |queue.keeps: none|queue.retention=nothing
        |queue.keeps: memory|
        queue.keeps: stored|queue.until: sent|queue.removal=sent
        queue.keeps: stored|queue.bound: 9|queue.bound=9
        queue.keeps: stored|queue.until: sent; queue.bytes: 9B|queue.removal=sent queue.boundBytes=9
        queue.keeps: stored|queue.overflow: drop-oldest|queue.overflow=dropOldest
        queue.keeps: stored|queue.overflow: drop-newest|queue.overflow=dropNewest
        queue.keeps: stored|queue.overflow: halve|queue.overflow=halve
        queue.keeps: stored|queue.batch: {}|queue.batch.every=10 queue.batch.within=300s queue.batch.timing.clock=elapsed queue.batch.timing.wake=none queue.batch.slot=slot 10
        queue.keeps: stored|queue.batch.every: 3|queue.batch.every=3 queue.batch.within=300s queue.batch.timing.clock=elapsed queue.batch.timing.wake=none queue.batch.slot=slot 10
        queue.keeps: stored|queue.batch.within: 9s|queue.batch.every=10 queue.batch.within=9s queue.batch.timing.clock=elapsed queue.batch.timing.wake=none queue.batch.slot=slot 10
        queue.keeps: stored|queue.batch.wake: alarm|queue.batch.every=10 queue.batch.within=300s queue.batch.timing.clock=elapsed queue.batch.timing.wake=alarm queue.batch.slot=slot 10
        queue.keeps: stored|queue.on-refusal.retry: {}|queue.onRefusal.backoff.base=30s queue.onRefusal.backoff.growth=times queue.onRefusal.backoff.growth.value=2000000 queue.onRefusal.backoff.cap=18000s queue.onRefusal.backoff.capPlacement=beforeJitter queue.onRefusal.backoff.jitter=none queue.onRefusal.backoff.firstJitter=nil queue.onRefusal.backoff.first=nil queue.onRefusal.backoff.plus=0s queue.onRefusal.timing.clock=elapsed queue.onRefusal.timing.wake=none queue.onRefusal.triggers.rawValue=0 queue.onRefusal.limit=nil queue.onRefusal.retriesPermanent=false queue.onRefusal.uploadsAnew=false queue.onRefusal.slot=slot 11
        queue.keeps: stored|queue.on-refusal.retry.base: 9s|queue.onRefusal.backoff.base=9s queue.onRefusal.backoff.growth=times queue.onRefusal.backoff.growth.value=2000000 queue.onRefusal.backoff.cap=18000s queue.onRefusal.backoff.capPlacement=beforeJitter queue.onRefusal.backoff.jitter=none queue.onRefusal.backoff.firstJitter=nil queue.onRefusal.backoff.first=nil queue.onRefusal.backoff.plus=0s queue.onRefusal.timing.clock=elapsed queue.onRefusal.timing.wake=none queue.onRefusal.triggers.rawValue=0 queue.onRefusal.limit=nil queue.onRefusal.retriesPermanent=false queue.onRefusal.uploadsAnew=false queue.onRefusal.slot=slot 11
        queue.keeps: stored|queue.on-refusal.also: [path]|queue.onRefusal.backoff=nil queue.onRefusal.timing.clock=elapsed queue.onRefusal.timing.wake=none queue.onRefusal.triggers.rawValue=2 queue.onRefusal.limit=nil queue.onRefusal.retriesPermanent=false queue.onRefusal.uploadsAnew=false queue.onRefusal.slot=slot 11
        queue.keeps: stored|queue.on-refusal: drop|
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.retry.wake: job|queue.onRefusal.timing.wake=job
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.retry.clock: wall|queue.onRefusal.timing.clock=wall
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.also: [next-message path foreground]|queue.onRefusal.triggers.rawValue=7
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.retries: 3|queue.onRefusal.limit=3
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.permanent: retry|queue.onRefusal.retriesPermanent=true
        queue.keeps: stored; queue.on-refusal.retry.base: 9s|queue.on-refusal.locked: new-upload|queue.onRefusal.uploadsAnew=true
        |streams: {}|subscriptions.count=1 subscriptions.joinBytes=100 subscriptions.joinTimeout=10s subscriptions.backoff.base=1s subscriptions.backoff.growth=times subscriptions.backoff.growth.value=2000000 subscriptions.backoff.cap=10s subscriptions.backoff.capPlacement=beforeJitter subscriptions.backoff.jitter=none subscriptions.backoff.firstJitter=nil subscriptions.backoff.first=nil subscriptions.backoff.plus=0s subscriptions.sharesTimer=false subscriptions.onEnd=rejoin subscriptions.onRefusal=rejoin subscriptions.rejoinsOnOpen=true subscriptions.slot=slot 6
        streams: {}|streams.count: 3|subscriptions.count=3
        streams: {}|streams.join.size: 9B|subscriptions.joinBytes=9
        streams: {}|streams.join.timeout: 9s|subscriptions.joinTimeout=9s
        streams: {}|streams.backoff.base: 9s|subscriptions.backoff.base=9s
        streams: {}|streams.timer: shared|subscriptions.sharesTimer=true
        streams: {}|streams.on-end: reconnect|subscriptions.onEnd=reconnect
        streams: {}|streams.on-end: drop|subscriptions.onEnd=drop
        streams: {}|streams.on-end: ignore|subscriptions.onEnd=ignore
        streams: {}|streams.on-refusal: reconnect|subscriptions.onRefusal=reconnect
        streams: {}|streams.on-refusal: drop|subscriptions.onRefusal=drop
        streams: {}|streams.on-open: nothing|subscriptions.rejoinsOnOpen=false
        queue.keeps: stored|queue.chunks: {}|queue.uploads.size=1048576 queue.uploads.resumesAtOffset=true
        queue.keeps: stored|queue.chunks.size: 9B|queue.uploads.size=9 queue.uploads.resumesAtOffset=true
        queue.keeps: stored|queue.chunks.resume: start|queue.uploads.size=1048576 queue.uploads.resumesAtOffset=false
        queue.keeps: stored|queue.keys: false|queue.hasKeys=false
        queue.keeps: stored|queue.flush: forget|queue.flushForgets=true
        |on-goaway: reconnect|onGoAway=reconnect
        |on-goaway: drain|onGoAway=drain

        """
}
