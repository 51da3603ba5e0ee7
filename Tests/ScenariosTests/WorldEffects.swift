/// The differences of the world for each key of `WorldTexts`, in its order.
enum WorldEffects {
    static let all = first + second

    private static let first = [
        #"""
        phone.radios.wifi.promotion: wifi.machine.wifi.promotion.nanoseconds 10000000 → 11000000; wifi.wifi.promotion.nanoseconds 10000000 → 11000000
        phone.radios.cellular.promotion: cellular.machine.wifi.promotion.nanoseconds 1000000 → 2000000; cellular.wifi.promotion.nanoseconds 1000000 → 2000000
        phone.radios.lte.promotion: cellularAlternates.0.machine.wifi.promotion.nanoseconds 1000000 → 2000000; cellularAlternates.0.wifi.promotion.nanoseconds 1000000 → 2000000
        phone.radios.nr.promotion: cellularAlternates.1.machine.wifi.promotion.nanoseconds 1000000 → 2000000; cellularAlternates.1.wifi.promotion.nanoseconds 1000000 → 2000000
        phone.radios.umts.promotion: cellularAlternates.2.machine.wifi.promotion.nanoseconds 1000000 → 2000000; cellularAlternates.2.wifi.promotion.nanoseconds 1000000 → 2000000
        phone.tail-attribution: tailAttribution latest → equalShares
        phone.battery.charge: 
        phone.battery.voltage: 
        phone.apps.push.every: otherApps.0.gap.first 300000000000 → 360000000000
        phone.apps.push.every-on-cellular: otherApps.0.cellularGap.first 420000000000 → 480000000000
        phone.apps.push.up: otherApps.0.up 100 → 101
        phone.apps.push.down: otherApps.0.down 200 → 201
        phone.apps.push.wake: otherApps.0.wake job → alarm
        phone.apps.push.exempt: otherApps.0.isExempt true → false
        phone.kernel: tcpKernel.linearSYNs 4 → 0; tcpKernel.repeatedSYNs 10 → 6
        duration: horizon.nanoseconds 7200000000000 → 10800000000000
        phones: phones 2 → 3
        """#,
        #"""
        links.wifi.delay: wifiLink.up.delay.first 20000000 → 21000000; wifiLink.down.delay.first 20000000 → 21000000
        links.wifi.floor: wifiLink.up.floor.nanoseconds 1000000 → 2000000; wifiLink.down.floor.nanoseconds 1000000 → 2000000
        links.wifi.rate: wifiLink.up.bitsPerSecond 30000000 → 31000000; wifiLink.down.bitsPerSecond 30000000 → 31000000
        links.wifi.loss: wifiLink.up.loss.independent.halves 92233720368547758 → 184467440737095516; wifiLink.down.loss.independent.halves 92233720368547758 → 184467440737095516
        links.wifi.queue: wifiLink.up.queue.bytes 65536 → 66560; wifiLink.down.queue.bytes 65536 → 66560
        links.wifi.spikes.every: wifiLink.up.spikes.every.first 60000000000 → 61000000000; wifiLink.down.spikes.every.first 60000000000 → 61000000000
        links.wifi.spikes.for: wifiLink.up.spikes.length.first 5000000000 → 6000000000; wifiLink.down.spikes.length.first 5000000000 → 6000000000
        links.wifi.spikes.add: wifiLink.up.spikes.extra.first 3000000000 → 4000000000; wifiLink.down.spikes.extra.first 3000000000 → 4000000000
        links.cellular.up.delay: cellularLink.up.delay.first 20000000 → 21000000
        links.cellular.up.floor: cellularLink.up.floor.nanoseconds 1000000 → 2000000
        links.cellular.up.rate: cellularLink.up.bitsPerSecond 30000000 → 31000000
        links.cellular.up.loss: cellularLink.up.loss.independent.halves 92233720368547758 → 184467440737095516
        links.cellular.up.queue: cellularLink.up.queue.bytes 65536 → 66560
        links.cellular.up.spikes.every: cellularLink.up.spikes.every.first 60000000000 → 61000000000
        links.cellular.up.spikes.for: cellularLink.up.spikes.length.first 5000000000 → 6000000000
        links.cellular.up.spikes.add: cellularLink.up.spikes.extra.first 3000000000 → 4000000000
        links.cellular.down.delay: cellularLink.down.delay.first 20000000 → 21000000
        links.cellular.down.floor: cellularLink.down.floor.nanoseconds 1000000 → 2000000
        links.cellular.down.rate: cellularLink.down.bitsPerSecond 30000000 → 31000000
        links.cellular.down.loss: cellularLink.down.loss.independent.halves 92233720368547758 → 184467440737095516
        links.cellular.down.queue: cellularLink.down.queue.bytes 65536 → 66560
        links.cellular.down.spikes.every: cellularLink.down.spikes.every.first 60000000000 → 61000000000
        links.cellular.down.spikes.for: cellularLink.down.spikes.length.first 5000000000 → 6000000000
        links.cellular.down.spikes.add: cellularLink.down.spikes.extra.first 3000000000 → 4000000000
        """#,
        #"""
        links.wifi.jitter: wifiLink.up.delay.first 15000000 → 14000000; wifiLink.up.delay.second 25000000 → 26000000; wifiLink.up.floor.nanoseconds 15000000 → 14000000
        links.wifi.loss.gilbert-elliott.good: wifiLink.up.loss.gilbertElliott.goodMean.nanoseconds 20000000000 → 21000000000
        links.wifi.loss.gilbert-elliott.bad: wifiLink.up.loss.gilbertElliott.badMean.nanoseconds 500000000 → 501000000
        links.wifi.loss.gilbert-elliott.loss-in-good: wifiLink.up.loss.gilbertElliott.lossInGood.halves 92233720368547758 → 184467440737095516
        links.wifi.loss.gilbert-elliott.loss-in-bad: wifiLink.up.loss.gilbertElliott.lossInBad.halves 4611686018427387904 → 4703919738795935662
        links.wifi.down.loss.gilbert-elliott.good: wifiLink.down.loss.gilbertElliott.goodMean.nanoseconds 20000000000 → 21000000000
        links.wifi.down.loss.gilbert-elliott.bad: wifiLink.down.loss.gilbertElliott.badMean.nanoseconds 500000000 → 501000000
        links.wifi.down.loss.gilbert-elliott.loss-in-good: wifiLink.down.loss.gilbertElliott.lossInGood.halves 92233720368547758 → 184467440737095516
        links.wifi.down.loss.gilbert-elliott.loss-in-bad: wifiLink.down.loss.gilbertElliott.lossInBad.halves 4611686018427387904 → 4703919738795935662
        links.wifi.down.jitter: wifiLink.down.delay.first 19000000 → 18000000; wifiLink.down.delay.second 21000000 → 22000000; wifiLink.down.floor.nanoseconds 19000000 → 18000000
        links.cellular.preset: cellularLink.up.delay.first 35000000 → 150000000; cellularLink.up.floor.nanoseconds 35000000 → 150000000; cellularLink.down.delay.first 35000000 → 150000000; cellularLink.down.floor.nanoseconds 35000000 → 150000000
        links.cellular.up.trace: cellularLink.up.bitsPerSecond 18000000 → 12000000; cellularLink.up.trace.times.2 2000000 → 3000000; cellularLink.up.trace.period 2000000 → 3000000
        links.cellular.down.trace: cellularLink.down.bitsPerSecond 18000000 → 12000000; cellularLink.down.trace.times.2 2000000 → 3000000; cellularLink.down.trace.period 2000000 → 3000000
        """#,
        #"""
        links.wifi.up.loss.gilbert-elliott.good: wifiLink.up.loss.gilbertElliott.goodMean.nanoseconds 20000000000 → 21000000000
        links.wifi.up.loss.gilbert-elliott.bad: wifiLink.up.loss.gilbertElliott.badMean.nanoseconds 500000000 → 501000000
        links.wifi.up.loss.gilbert-elliott.loss-in-good: wifiLink.up.loss.gilbertElliott.lossInGood.halves 92233720368547758 → 184467440737095516
        links.wifi.up.loss.gilbert-elliott.loss-in-bad: wifiLink.up.loss.gilbertElliott.lossInBad.halves 4611686018427387904 → 4703919738795935662
        links.wifi.up.jitter: wifiLink.up.delay.first 19000000 → 18000000; wifiLink.up.delay.second 21000000 → 22000000; wifiLink.up.floor.nanoseconds 19000000 → 18000000
        """#,
        #"""
        links.wifi.trace: wifiLink.up.bitsPerSecond 18000000 → 12000000; wifiLink.up.trace.times.2 2000000 → 3000000; wifiLink.up.trace.period 2000000 → 3000000; wifiLink.down.bitsPerSecond 18000000 → 12000000; and 2 more
        links.cellular.delay: cellularLink.up.delay.first 20000000 → 21000000; cellularLink.down.delay.first 20000000 → 21000000
        links.cellular.floor: cellularLink.up.floor.nanoseconds 1000000 → 2000000; cellularLink.down.floor.nanoseconds 1000000 → 2000000
        links.cellular.rate: cellularLink.up.bitsPerSecond 30000000 → 31000000; cellularLink.down.bitsPerSecond 30000000 → 31000000
        links.cellular.loss: cellularLink.up.loss.independent.halves 92233720368547758 → 184467440737095516; cellularLink.down.loss.independent.halves 92233720368547758 → 184467440737095516
        links.cellular.queue: cellularLink.up.queue.bytes 65536 → 66560; cellularLink.down.queue.bytes 65536 → 66560
        links.cellular.spikes.every: cellularLink.up.spikes.every.first 60000000000 → 61000000000; cellularLink.down.spikes.every.first 60000000000 → 61000000000
        links.cellular.spikes.for: cellularLink.up.spikes.length.first 5000000000 → 6000000000; cellularLink.down.spikes.length.first 5000000000 → 6000000000
        links.cellular.spikes.add: cellularLink.up.spikes.extra.first 3000000000 → 4000000000; cellularLink.down.spikes.extra.first 3000000000 → 4000000000
        links.others.mine.delay: wifiConditions.0.up.delay.first 20000000 → 21000000; wifiConditions.0.down.delay.first 20000000 → 21000000; cellularConditions.0.up.delay.first 20000000 → 21000000; cellularConditions.0.down.delay.first 20000000 → 21000000
        links.others.mine.floor: wifiConditions.0.up.floor.nanoseconds 1000000 → 2000000; wifiConditions.0.down.floor.nanoseconds 1000000 → 2000000; cellularConditions.0.up.floor.nanoseconds 1000000 → 2000000; cellularConditions.0.down.floor.nanoseconds 1000000 → 2000000
        links.others.mine.rate: wifiConditions.0.up.bitsPerSecond 30000000 → 31000000; wifiConditions.0.down.bitsPerSecond 30000000 → 31000000; cellularConditions.0.up.bitsPerSecond 30000000 → 31000000; cellularConditions.0.down.bitsPerSecond 30000000 → 31000000
        links.others.mine.loss: wifiConditions.0.up.loss.independent.halves 92233720368547758 → 184467440737095516; wifiConditions.0.down.loss.independent.halves 92233720368547758 → 184467440737095516; cellularConditions.0.up.loss.independent.halves 92233720368547758 → 184467440737095516; cellularConditions.0.down.loss.independent.halves 92233720368547758 → 184467440737095516
        links.others.mine.queue: wifiConditions.0.up.queue.bytes 65536 → 66560; wifiConditions.0.down.queue.bytes 65536 → 66560; cellularConditions.0.up.queue.bytes 65536 → 66560; cellularConditions.0.down.queue.bytes 65536 → 66560
        links.others.mine.spikes.every: wifiConditions.0.up.spikes.every.first 60000000000 → 61000000000; wifiConditions.0.down.spikes.every.first 60000000000 → 61000000000; cellularConditions.0.up.spikes.every.first 60000000000 → 61000000000; cellularConditions.0.down.spikes.every.first 60000000000 → 61000000000
        links.others.mine.spikes.for: wifiConditions.0.up.spikes.length.first 5000000000 → 6000000000; wifiConditions.0.down.spikes.length.first 5000000000 → 6000000000; cellularConditions.0.up.spikes.length.first 5000000000 → 6000000000; cellularConditions.0.down.spikes.length.first 5000000000 → 6000000000
        links.others.mine.spikes.add: wifiConditions.0.up.spikes.extra.first 3000000000 → 4000000000; wifiConditions.0.down.spikes.extra.first 3000000000 → 4000000000; cellularConditions.0.up.spikes.extra.first 3000000000 → 4000000000; cellularConditions.0.down.spikes.extra.first 3000000000 → 4000000000
        timeline.[].conditions.wifi: wifiConditions.0.up.delay.first 20000000 → 35000000; wifiConditions.0.up.floor.nanoseconds 1000000 → 35000000; wifiConditions.0.up.bitsPerSecond 30000000 → 10000000; wifiConditions.0.up.loss.independent.halves 92233720368547758 → 0; and 34 more
        timeline.[].conditions.cellular: cellularConditions.0.up.delay.first 20000000 → 35000000; cellularConditions.0.up.floor.nanoseconds 1000000 → 35000000; cellularConditions.0.up.bitsPerSecond 30000000 → 10000000; cellularConditions.0.up.loss.independent.halves 92233720368547758 → 0; and 34 more
        """#,
        #"""
        middleboxes.wifi.[].tcp: middleboxes.wifi.0.tcp.nanoseconds 300000000000 → 360000000000
        middleboxes.wifi.[].udp: middleboxes.wifi.0.udp.nanoseconds 60000000000 → 120000000000
        middleboxes.wifi.[].manner: middleboxes.wifi.0.expiryAction drop → reset
        middleboxes.wifi.[].adopts-midstream: middleboxes.wifi.0.adoptsMidstream true → false
        middleboxes.wifi.[].preset: middleboxes.wifi.1.tcp.nanoseconds 120000000000 → 7440000000000; middleboxes.wifi.1.udp.nanoseconds 30000000000 → 120000000000
        middleboxes.wifi.[].idle: middleboxes.wifi.2.tcp.nanoseconds 60000000000 → 120000000000; middleboxes.wifi.2.udp.nanoseconds 60000000000 → 120000000000
        middleboxes.cellular.[].tcp: middleboxes.cellular.0.tcp.nanoseconds 300000000000 → 360000000000
        middleboxes.server.[].idle: middleboxes.server.0.tcp.nanoseconds 300000000000 → 360000000000; middleboxes.server.0.udp.nanoseconds 300000000000 → 360000000000
        """#,
        #"""
        resolver.ttl: resolver.ttl.nanoseconds 60000000000 → 61000000000
        resolver.timeout: resolver.timeout.nanoseconds 5000000000 → 6000000000
        resolver.attempts: resolver.attempts 2 → 3
        resolver.work: resolver.work.nanoseconds 1000000 → 2000000
        resolver.ipv4: resolver.ipv4 works → broken
        resolver.ipv6: resolver.ipv6 works → broken
        resolver.failing: resolver.failureMode silent → refusing
        app.consumes: consumer.service.first 5000000 → 6000000
        app.stalls.every: consumer.stallGap.first 30000000000 → 31000000000
        app.stalls.for: consumer.stall.first 2000000000 → 3000000000
        """#,
        #"""
        traffic.down.every: traffic.down.gap.first 20000000000 → 21000000000
        traffic.down.size: traffic.down.size.first 300 → 301
        traffic.down.from: traffic.down.from.nanoseconds 1000000000 → 2000000000
        traffic.down.until: traffic.down.until.nanoseconds 2400000000000 → 2460000000000
        traffic.down.arrivals: traffic.down.gap.kind exponential → constant
        traffic.up.every: traffic.up.gap.first 18000000000 → 18900000000; traffic.up.gap.second 22000000000 → 23100000000
        traffic.up.size: traffic.up.size.first 300 → 301
        traffic.up.from: traffic.up.from.nanoseconds 1000000000 → 2000000000
        traffic.up.until: traffic.up.until.nanoseconds 2400000000000 → 2460000000000
        traffic.up.jitter: traffic.up.gap.first 18000000000 → 17800000000; traffic.up.gap.second 22000000000 → 22200000000
        traffic.up.while: traffic.up.until.nanoseconds 2400000000000 → 1800000000000
        traffic.probe.every: traffic.probe.gap.first 20000000000 → 21000000000
        traffic.probe.size: traffic.probe.size.first 300 → 301
        traffic.probe.from: traffic.probe.from.nanoseconds 1000000000 → 2000000000
        traffic.probe.until: traffic.probe.until.nanoseconds 2400000000000 → 2460000000000
        traffic.calls.every: traffic.calls.gap.first 20000000000 → 21000000000
        traffic.calls.size: traffic.calls.size.first 300 → 301
        traffic.calls.from: traffic.calls.from.nanoseconds 1000000000 → 2000000000
        traffic.calls.until: traffic.calls.until.nanoseconds 2400000000000 → 2460000000000
        traffic.calls.answer: traffic.answer.first 2048 → 3072
        traffic.calls.while: traffic.calls.until.nanoseconds 2400000000000 → 1800000000000
        traffic.encoding: traffic.envelope none → json
        """#,
        #"""
        traffic.down.at: traffic.down.recordedTimes.1.nanoseconds 2000000000 → 3000000000
        traffic.up.at: traffic.up.recordedTimes.0.nanoseconds 1000000000 → 2000000000
        traffic.probe.at: traffic.probe.recordedTimes.0.nanoseconds 1000000000 → 2000000000
        traffic.calls.at: traffic.calls.recordedTimes.0.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        traffic.down.jitter: traffic.down.gap.first 18000000000 → 17800000000; traffic.down.gap.second 22000000000 → 22200000000
        traffic.up.arrivals: traffic.up.gap.kind exponential → constant
        traffic.probe.arrivals: traffic.probe.gap.kind exponential → constant
        traffic.calls.arrivals: traffic.calls.gap.kind exponential → constant
        """#,
        #"""
        traffic.probe.jitter: traffic.probe.gap.first 18000000000 → 17800000000; traffic.probe.gap.second 22000000000 → 22200000000
        traffic.calls.jitter: traffic.calls.gap.first 18000000000 → 17800000000; traffic.calls.gap.second 22000000000 → 22200000000
        """#,
        #"""
        traffic.down.[].every: traffic.down.gap.first 60000000000 → 120000000000
        traffic.down.[].size: traffic.down.size.first 1 → 2
        traffic.down.[].until: traffic.down.until.nanoseconds 3600000000000 → 3000000000000
        traffic.down.[].arrivals: traffic.down.gap.kind exponential → constant
        traffic.up.[].every: traffic.up.gap.first 59400000000 → 118800000000; traffic.up.gap.second 60600000000 → 121200000000
        traffic.up.[].from: traffic.up.from.nanoseconds 60000000000 → 120000000000
        traffic.up.[].jitter: traffic.up.gap.first 59400000000 → 58800000000; traffic.up.gap.second 60600000000 → 61200000000
        traffic.up.[].size: traffic.up.size.first 1 → 2
        traffic.up.[].until: traffic.up.until.nanoseconds 3600000000000 → 3000000000000
        traffic.up.[].while: traffic.up.until.nanoseconds 3600000000000 → 1800000000000
        """#,
        #"""
        traffic.down.[].at: traffic.down.recordedTimes.0.nanoseconds 1000000000 → 2000000000
        traffic.up.[].at: traffic.up.recordedTimes.0.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        traffic.down.[].from: traffic.down.from.nanoseconds 60000000000 → 120000000000
        traffic.down.[].jitter: traffic.down.gap.first 59400000000 → 58800000000; traffic.down.gap.second 60600000000 → 61200000000
        traffic.up.[].arrivals: traffic.up.gap.kind exponential → constant
        """#,
        #"""
        server.accepts-per-second: server.acceptsPerSecond 100 → 101
        server.think: server.thinkTime.nanoseconds 1000000 → 2000000
        server.idle-limit: server.idleLimit.nanoseconds 3600000000000 → 7200000000000
        server.hold: server.longPollTimeout.nanoseconds 30000000000 → 31000000000
        server.grace: server.grace.nanoseconds 1000000000 → 2000000000
        server.quic-idle: server.quicIdle.nanoseconds 30000000000 → 31000000000
        server.migration: server.allowsMigration true → false
        server.send-buffer: server.sendBuffer 65536 → 66560
        server.auth: server.authentication.nanoseconds 1000000 → 2000000
        server.handshake-cost.full: server.handshakeCost.full.nanoseconds 1000000 → 2000000
        server.handshake-cost.resumed: server.handshakeCost.resumed.nanoseconds 1000000 → 2000000
        server.resume-window: server.session.window.nanoseconds 60000000000 → 120000000000
        server.epochs: server.session.namesEpoch true → false
        server.restart: server.session.survivesRestart true → false
        server.takeover: server.session.replaces true → false
        server.acks.every: server.receipts.every 1 → 2
        server.acks.within: server.receipts.within.nanoseconds 1000000000 → 2000000000
        server.history.messages: server.history.messages 5 → 6
        server.history.time: server.history.time.nanoseconds 3600000000000 → 7200000000000
        server.history.purge: server.history.purge never → sent
        server.history.when-gone: server.history.expiredCursorAction silence → snapshot
        server.history.snapshot: server.history.snapshot 1024 → 2048
        server.history.replay: server.history.replay 1 → 2
        server.slow-consumers.conflate.above: server.slowConsumers.conflatesAbove 1024 → 2048
        server.slow-consumers.conflate.keys: server.slowConsumers.keys 1 → 2
        server.slow-consumers.cut.above: server.slowConsumers.closesAbove 1024 → 2048
        server.slow-consumers.cut.after: server.slowConsumers.closesAfter.nanoseconds 1000000000 → 2000000000
        server.errors.transient: server.faults.transient.halves 92233720368547758 → 184467440737095516
        server.errors.after-headers: server.faults.afterHeaders.halves 92233720368547758 → 184467440737095516
        server.errors.permanent: server.faults.permanent.halves 92233720368547758 → 184467440737095516
        server.errors.refused-streams: server.faults.unprocessed.halves 92233720368547758 → 184467440737095516
        server.errors.pushback: server.faults.pushback - → stop; server.faults.pushback.after.nanoseconds 1000000000 → -
        server.errors.sessions.transient: server.faults.sessionTransient.halves 92233720368547758 → 184467440737095516
        server.errors.sessions.permanent: server.faults.sessionPermanent.halves 92233720368547758 → 184467440737095516
        server.errors.sessions.retry-after: server.faults.retryAfter.nanoseconds 1000000000 → 2000000000
        server.rate-limit.every: server.faults.rateLimit.every.nanoseconds 1000000000 → 2000000000
        server.rate-limit.burst: server.faults.rateLimit.burst 1 → 2
        server.rate-limit.pushback: server.faults.rateLimitPushback.after.nanoseconds 1000000000 → 2000000000
        server.capacity.requests-per-second: server.faults.requestsPerSecond 1 → 2
        server.capacity.queue: server.faults.queue 1 → 2
        server.capacity.pushback: server.faults.overloadPushback.after.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        server.instances: server.cluster.instances 4 → 5
        server.balance: server.cluster.balance roundRobin → leastConnections
        server.backlog: server.cluster.backlog 9 → 10
        server.connection-limit: server.cluster.connectionLimit 9 → 10
        server.shed.retry-after: server.cluster.shedding.nanoseconds 1000000000 → 2000000000
        server.health-checks.every: timeline.2.at.nanoseconds 61000000000 → 62000000000; timeline.6.at.nanoseconds 541000000000 → 542000000000; server.cluster.health.every.nanoseconds 1000000000 → 2000000000
        server.health-checks.failures: timeline.2.at.nanoseconds 61000000000 → 62000000000; timeline.6.at.nanoseconds 541000000000 → 542000000000; server.cluster.health.failures 2 → 3
        server.autoscaling.target: server.cluster.autoscaling.target.halves 4611686018427387904 → 5534023222112865484
        server.autoscaling.every: server.cluster.autoscaling.every.nanoseconds 1000000000 → 2000000000
        server.autoscaling.start-up: server.cluster.autoscaling.startUp.nanoseconds 60000000000 → 120000000000
        server.autoscaling.max: server.cluster.autoscaling.maximum 8 → 9
        server.database.queries-per-second: server.cluster.database.queriesPerSecond 9 → 10
        server.database.per-call: server.cluster.database.perCall 1 → 2
        server.database.per-session: server.cluster.database.perSession 1 → 2
        timeline.[].instance.down: timeline.1.change.instance..0 1 → 2; timeline.2.change.instance..0 1 → 2; timeline.3.change.instance..0 1 → 2; timeline.4.change.instance..0 1 → 2
        timeline.[].for: timeline.3.at.nanoseconds 120000000000 → 180000000000; timeline.4.at.nanoseconds 120000000000 → 180000000000
        timeline.[].instance.frozen: timeline.5.change.instance..0 1 → 2; timeline.6.change.instance..0 1 → 2
        """#,
        #"""
        server.health-checks.timeout: server.cluster.health.timeout.nanoseconds 1000000000 → 2000000000
        server.health-checks.panic: server.cluster.health.panic.halves 4611686018427387904 → 3689348814741910323
        server.autoscaling.down-after: server.cluster.autoscaling.downAfter.nanoseconds 300000000000 → 360000000000
        server.autoscaling.grace: server.cluster.autoscaling.grace.nanoseconds 30000000000 → 31000000000
        server.capacity.queue-timeout: server.faults.queueTimeout.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        server.ping-floor: server.pingFloor.nanoseconds 60000000000 → 120000000000
        server.ping-policy: server.pingPolicy go → java
        server.ping-strikes: server.pingStrikes 2 → 3
        server.pings-without-calls: server.permitsPingsWithoutCalls true → false
        server.max-connection-idle: server.limits.idle.nanoseconds 60000000000 → 120000000000
        server.max-connection-age: server.limits.age.nanoseconds 3600000000000 → 7200000000000
        server.max-connection-age-grace: server.limits.ageGrace.nanoseconds 60000000000 → 120000000000
        server.keepalive.time: server.keepalive.interval.nanoseconds 60000000000 → 120000000000
        server.keepalive.timeout: server.keepalive.timeout.nanoseconds 1000000000 → 2000000000
        server.dedup.bytes: server.dedup.bloom.bits 4096 → 4104
        server.dedup.hashes: server.dedup.bloom.hashes 3 → 4
        server.dedup.window: server.dedup.bloom.keys 9 → 10
        """#,
        #"""
        server.heartbeat.kind: server.heartbeat.mode asks → expects
        server.heartbeat.every: server.heartbeat.interval.nanoseconds 25000000000 → 26000000000
        server.heartbeat.timeout: server.heartbeat.timeout.nanoseconds 20000000000 → 21000000000
        server.heartbeat.counts-from: server.heartbeat.afterSilence false → true
        server.heartbeat.announced: server.heartbeat.isAnnounced false → true
        server.heartbeat.size: server.heartbeat.bytes 1 → 2
        server.dedup.kind: server.dedup.bitmap.window - → 100; server.dedup.set.window 100 → -
        """#,
        #"""
        server.dedup.window.messages: server.dedup.lasting.window 9 → 10
        server.dedup.window.time: server.dedup.lasting.time.nanoseconds 300000000000 → 360000000000
        """#,
        #"""
        server.push: server.push normal → high
        """#,
        #"""
        timeline.[].wifi: timeline.0.change.pathUp..0 wifi → cellular
        timeline.[].app: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.app.foreground - → false; timeline.2.change.alarmClock.nanoseconds - → 3600000000000; timeline.3.change.clockSet.nanoseconds - → 3600000000000; and 8 more
        timeline.[].screen: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.screen - → false; timeline.2.change.alarmClock.nanoseconds - → 3600000000000; timeline.3.change.clockSet.nanoseconds - → 3600000000000; and 8 more
        timeline.[].charging: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.charging - → true; timeline.2.change.alarmClock.nanoseconds - → 3600000000000; timeline.3.change.clockSet.nanoseconds - → 3600000000000; and 8 more
        timeline.[].motion: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.moving - → true; timeline.2.change.alarmClock.nanoseconds - → 3600000000000; timeline.3.change.clockSet.nanoseconds - → 3600000000000; and 8 more
        timeline.[].battery-saver: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.saving - → true; timeline.2.change.alarmClock.nanoseconds - → 3600000000000; timeline.3.change.clockSet.nanoseconds - → 3600000000000; and 8 more
        timeline.[].alarm-clock: timeline.1.change.alarmClock.nanoseconds 3600000000000 → 5400000000000
        timeline.[].clock: timeline.2.change.clockSet.nanoseconds 3600000000000 → 7200000000000
        timeline.[].push: timeline.3.change.push.urgent true → false
        timeline.[].kill: timeline.4.change kill → forceStop
        """#,
        #"""
        timeline.[].cellular: timeline.0.change.pathUp..0 cellular → wifi
        """#,
        #"""
        timeline.[].handoff: timeline.2.change.pathUp..0 cellular → wifi
        """#,
        #"""
        timeline.[].portal: timeline.2.change.pathUp..1.portal.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        timeline.[].usable-after: timeline.1.change.pathUp..1.usableAfter.nanoseconds 1000000000 → 2000000000
        timeline.[].announced-after: timeline.1.change.pathUp..1.announcedAfter.nanoseconds 1000000000 → 2000000000
        timeline.[].at: timeline.2.at.nanoseconds 120000000000 → 180000000000
        timeline.[].readdress: timeline.2.change.readdress..0 wifi → cellular
        timeline.[].old-path: timeline.2.change.readdress..1 error → silent
        timeline.[].dead-zone: timeline.4.at.nanoseconds 330000000000 → 331000000000; timeline.4.occurrence.extraLength.law.first 90000000000 → 91000000000; timeline.4.occurrence.extraLength.least.nanoseconds 90000000000 → 91000000000; timeline.4.occurrence.extraLength.greatest.nanoseconds 90000000000 → 91000000000; and 4 more
        timeline.[].interface: timeline.3.change.coverage..0 wifi → cellular; timeline.4.change.coverage..0 wifi → cellular; timeline.5.change.coverage..0 wifi → cellular; timeline.6.change.coverage..0 wifi → cellular
        timeline.[].phones: timeline.3.occurrence.phones.halves 4611686018427387904 → 5534023222112865484; timeline.4.occurrence.phones.halves 4611686018427387904 → 5534023222112865484; timeline.5.occurrence.phones.halves 4611686018427387904 → 5534023222112865484; timeline.6.occurrence.phones.halves 4611686018427387904 → 5534023222112865484
        timeline.[].repeat.every: timeline.5.at.nanoseconds 540000000000 → 600000000000; timeline.5.occurrence.drawnAt.nanoseconds 540000000000 → 600000000000; timeline.6.at.nanoseconds 630000000000 → 690000000000; timeline.6.occurrence.drawnAt.nanoseconds 540000000000 → 600000000000
        timeline.[].repeat.times: timeline.7.at.nanoseconds 1200000000000 → 840000000000; timeline.7.change.coverage..0 - → wifi; timeline.7.change.coverage..1 - → false; timeline.7.occurrence.drawnAt.nanoseconds - → 840000000000; and 822 more
        timeline.[].wan-cut: timeline.8.at.nanoseconds 1290000000000 → 1291000000000
        timeline.[].one-way: timeline.9.change.oneWay..1 down → up; timeline.10.change.oneWay..1 down → up
        timeline.[].for: timeline.10.at.nanoseconds 1470000000000 → 1471000000000
        timeline.[].roam: timeline.12.at.nanoseconds 1561000000000 → 1562000000000
        timeline.[].technology: timeline.13.change.technology 1 → 2
        timeline.[].spurious: timeline.14.change.spurious..1 capabilities → flap
        timeline.[].access: timeline.15.change.access..1.needsConnection - → nil; timeline.15.change.access..1 refused → -
        timeline.[].takes: timeline.16.change.access..1.needsConnection.nanoseconds 1000000000 → 2000000000
        timeline.[].server: timeline.17.change.server frozen → down; timeline.18.change.server thawed → up
        timeline.[].for: timeline.18.at.nanoseconds 1750000000000 → 1760000000000
        timeline.[].deploy.over: timeline.19.change.deploy.over.nanoseconds 60000000000 → 120000000000
        timeline.[].deploy.instances: timeline.19.change.deploy.instances 10 → 11
        timeline.[].deploy.manner: timeline.19.change.deploy.isAbrupt false → true
        timeline.[].airplane: timeline.22.at.nanoseconds 2410000000000 → 2420000000000; timeline.23.at.nanoseconds 2410000000000 → 2420000000000
        timeline.[].old-path: timeline.20.change.pathDown..1 error → reset; timeline.21.change.pathDown..1 error → reset
        timeline.[].gap: timeline.26.at.nanoseconds 3601000000000 → 3602000000000
        timeline.[].chaos.disconnect: timeline.27.at.nanoseconds 3665000000000 → 3666000000000; timeline.28.at.nanoseconds 3670000000000 → 3672000000000; timeline.29.at.nanoseconds 3675000000000 → 3678000000000; timeline.30.at.nanoseconds 3680000000000 → 3684000000000; and 671 more
        timeline.[].chaos.handoff: timeline.35.at.nanoseconds 3700000000000 → 3701000000000; timeline.36.at.nanoseconds 3700000000000 → 3701000000000; timeline.47.at.nanoseconds 3740000000000 → 3742000000000; timeline.48.at.nanoseconds 3740000000000 → 3742000000000; and 287 more
        timeline.[].chaos.kill: timeline.43.at.nanoseconds 3730000000000 → 3731000000000; timeline.44.at.nanoseconds 3734839000000 → 3735000000000; timeline.44.change.readdress..0 - → wifi; timeline.44.change.readdress..1 - → error; and 84 more
        timeline.[].chaos.for: timeline.202.at.nanoseconds - → 4260000000000; timeline.202.change.readdress..0 - → cellular; timeline.202.change.readdress..1 - → error; timeline.202.occurrence - → nil; and 74 more
        timeline.[].chaos.seed: timeline.44.at.nanoseconds 3734839000000 → 3732080000000; timeline.66.at.nanoseconds 3801425000000 → 3801128000000; timeline.88.at.nanoseconds 3871251000000 → 3872467000000; timeline.109.at.nanoseconds 3942197000000 → 3943693000000; and 4 more
        timeline.[].chaos.ends: timeline.27.change.readdress..1 error → reset; timeline.28.change.readdress..1 error → reset; timeline.29.change.readdress..1 error → reset; timeline.30.change.readdress..1 error → reset; and 129 more
        timeline.[].chaos.dead-zone.every: timeline.51.at.nanoseconds 3750000000000 → 3751000000000; timeline.52.change.readdress..0 - → cellular; timeline.52.change.readdress..1 - → error; timeline.53.at.nanoseconds 3755000000000 → 3756000000000; and 67 more
        timeline.[].chaos.dead-zone.for: timeline.52.change.readdress..0 - → cellular; timeline.52.change.readdress..1 - → error; timeline.53.at.nanoseconds 3755000000000 → 3756000000000; timeline.53.change.coverage..0 - → cellular; and 57 more
        """#,
        #"""
        timeline.[].overlap: timeline.3.at.nanoseconds 61000000000 → 62000000000
        timeline.[].freeze-ui: timeline.4.change.consumerStall.nanoseconds 1000000000 → 2000000000
        """#,
        #"""
        timeline.[].together: timeline.1.occurrence.isCommon true → false; timeline.2.occurrence.isCommon true → false; timeline.4.occurrence.isCommon true → false; timeline.5.occurrence.isCommon true → false; and 4 more
        population.near.phones: phones 8 → 9; groups.0.phones.upperBound 3 → 4; groups.0.world.phones 8 → 9; groups.1.phones.lowerBound 3 → 4; and 2 more
        """#,
        #"""
        timeline.[].phones: timeline.1.occurrence.sampler.count 2 → 3; timeline.2.occurrence.sampler.count 2 → 3; timeline.5.occurrence.sampler.count 2 → 3; timeline.6.occurrence.sampler.count 2 → 3; and 4 more
        traffic.up.[].every: traffic.up.gap.first 60000000000 → 120000000000; groups.0.world.traffic.up.gap.first 60000000000 → 120000000000; groups.1.world.traffic.up.gap.first 60000000000 → 120000000000
        traffic.up.[].size: traffic.up.size.first 1 → 2; groups.0.world.traffic.up.size.first 1 → 2; groups.1.world.traffic.up.size.first 1 → 2
        traffic.up.[].every: traffic.up.parallelStreams.0.gap.first 30000000000 → 40000000000; groups.0.world.traffic.up.parallelStreams.0.gap.first 30000000000 → 40000000000; groups.1.world.traffic.up.parallelStreams.0.gap.first 30000000000 → 40000000000
        traffic.up.[].size: traffic.up.parallelStreams.0.size.first 3 → 4; groups.0.world.traffic.up.parallelStreams.0.size.first 3 → 4; groups.1.world.traffic.up.parallelStreams.0.size.first 3 → 4
        traffic.up.[].while: traffic.up.parallelStreams.0.until.nanoseconds 7200000000000 → 1800000000000; groups.0.world.traffic.up.parallelStreams.0.until.nanoseconds 7200000000000 → 1800000000000; groups.1.world.traffic.up.parallelStreams.0.until.nanoseconds 7200000000000 → 1800000000000
        traffic.down.[].at: traffic.down.parallelStreams.0.recordedTimes.0.nanoseconds 60000000000 → 120000000000; groups.0.world.traffic.down.parallelStreams.0.recordedTimes.0.nanoseconds 60000000000 → 120000000000; groups.1.world.traffic.down.parallelStreams.0.recordedTimes.0.nanoseconds 60000000000 → 120000000000
        traffic.down.[].size: traffic.down.parallelStreams.0.size.first 3 → 4; groups.0.world.traffic.down.parallelStreams.0.size.first 3 → 4; groups.1.world.traffic.down.parallelStreams.0.size.first 3 → 4
        population.near.strategy: 
        """#,
        #"""
        traffic.up.while: traffic.up.from.nanoseconds 1800000000000 → 0; traffic.up.until.nanoseconds 7200000000000 → 1800000000000
        traffic.calls.[].every: traffic.calls.gap.first 60000000000 → 120000000000
        traffic.calls.[].from: traffic.calls.from.nanoseconds 60000000000 → 120000000000
        traffic.calls.[].until: traffic.calls.until.nanoseconds 3600000000000 → 3000000000000
        traffic.calls.[].arrivals: traffic.calls.gap.kind exponential → constant
        traffic.calls.[].size: traffic.calls.size.first 1 → 2
        traffic.calls.[].answer: traffic.answer.first 5 → 6
        traffic.calls.[].jitter: traffic.calls.parallelStreams.0.gap.first 59400000000 → 58800000000; traffic.calls.parallelStreams.0.gap.second 60600000000 → 61200000000
        traffic.calls.[].size: traffic.calls.parallelStreams.0.size.first 3 → 4
        traffic.calls.[].answer: traffic.parallelAnswers.0.first 7 → 8
        traffic.calls.[].while: traffic.calls.parallelStreams.0.from.nanoseconds 1800000000000 → 0; traffic.calls.parallelStreams.0.until.nanoseconds 7200000000000 → 1800000000000
        traffic.calls.[].at: traffic.calls.parallelStreams.1.recordedTimes.0.nanoseconds 60000000000 → 120000000000
        """#,
    ]
}
