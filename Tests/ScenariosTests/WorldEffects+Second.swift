extension WorldEffects {
    static let second = [
        #"""
        app.memory-limit: consumer.memoryLimit 8388608 → 9437184
        server.session-limit: server.limits.session.nanoseconds 60000000000 → 120000000000
        server.versions.new.history.messages: serverVersions.0.history.messages 5 → 6
        server.versions.new.history.time: serverVersions.0.history.time.nanoseconds 3600000000000 → 7200000000000
        server.versions.new.history.purge: serverVersions.0.history.purge never → sent
        server.versions.new.history.when-gone: serverVersions.0.history.expiredCursorAction silence → snapshot
        server.versions.new.history.snapshot: serverVersions.0.history.snapshot 1024 → 2048
        server.versions.new.history.replay: serverVersions.0.history.replay 1 → 2
        server.versions.new.resume-window: serverVersions.0.session.window.nanoseconds 60000000000 → 120000000000
        server.versions.new.ping-floor: serverVersions.0.pingFloor.nanoseconds 60000000000 → 120000000000
        server.versions.new.ping-policy: serverVersions.0.pingPolicy go → java
        server.versions.new.ping-strikes: serverVersions.0.pingStrikes 2 → 3
        server.versions.new.pings-without-calls: serverVersions.0.permitsPingsWithoutCalls true → false
        server.versions.new.max-connection-idle: serverVersions.0.limits.idle.nanoseconds 60000000000 → 120000000000
        server.versions.new.max-connection-age: serverVersions.0.limits.age.nanoseconds 3600000000000 → 7200000000000
        server.versions.new.max-connection-age-grace: serverVersions.0.limits.ageGrace.nanoseconds 60000000000 → 120000000000
        server.versions.new.session-limit: serverVersions.0.limits.session.nanoseconds 60000000000 → 120000000000
        server.versions.new.keepalive.time: serverVersions.0.keepalive.interval.nanoseconds 60000000000 → 120000000000
        server.versions.new.keepalive.timeout: serverVersions.0.keepalive.timeout.nanoseconds 1000000000 → 2000000000
        server.versions.new.think: serverVersions.0.thinkTime.nanoseconds 1000000000 → 2000000000
        timeline.[].server-version: timeline.1.change.serverVersion 1 → 2
        """#,
        #"""
        server.codes.completed: server.codes.completed 1000 → 1001
        server.codes.denied: server.codes.denied 1008 → 1009
        server.codes.ended: server.codes.ended 1001 → 1002
        server.codes.forbidden: server.codes.forbidden 4403 → 4404
        server.codes.turned-away: server.codes.turnedAway 4503 → 4504
        """#,
        #"""
        server.credentials.life: server.credentials.life.nanoseconds 3600000000000 → 7200000000000
        server.credentials.leeway: server.credentials.leeway.nanoseconds 1000000000 → 2000000000
        server.credentials.sessions: server.credentials.checksSessions true → false
        server.credentials.calls: server.credentials.checksCalls true → false
        server.credentials.refresh.takes: server.credentials.issueTime.nanoseconds 50000000 → 60000000
        server.credentials.refresh.grace: server.credentials.grace.nanoseconds 1000000000 → 2000000000
        server.credentials.refresh.replay: server.credentials.replayRevokes true → false
        server.credentials.refresh.round-trips: server.credentials.roundTrips 3 → 4
        server.credentials.refresh.up: server.credentials.up 2000 → 2001
        server.credentials.refresh.down: server.credentials.down 5000 → 5001
        """#,
        #"""
        server.credentials.refresh.single-use: server.credentials.isSingleUse true → false
        """#,
        #"""
        resolver.negative-ttl: resolver.negativeTTL.nanoseconds 10000000000 → 11000000000
        resolver.wifi.ttl: resolver.wifi.ttl.nanoseconds 60000000000 → 120000000000
        resolver.wifi.negative-ttl: resolver.wifi.negativeTTL.nanoseconds 1000000000 → 2000000000
        resolver.wifi.work: resolver.wifi.work.nanoseconds 1000000000 → 2000000000
        resolver.wifi.failing: resolver.wifi.failureMode silent → refusing
        resolver.cellular.ttl: resolver.cellular.ttl.nanoseconds 60000000000 → 120000000000
        resolver.cellular.negative-ttl: resolver.cellular.negativeTTL.nanoseconds 1000000000 → 2000000000
        resolver.cellular.work: resolver.cellular.work.nanoseconds 1000000000 → 2000000000
        resolver.cellular.failing: resolver.cellular.failureMode silent → refusing
        timeline.[].old-address: timeline.1.change.serverMoved silent → reset
        timeline.[].dns-after: timeline.2.at.nanoseconds 180000000000 → 240000000000
        """#,
        #"""
        timeline.[].data-saver: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.dataSaver - → true; timeline.2.at.nanoseconds - → 60000000000; timeline.2.change.push.urgent - → true; and 2 more
        timeline.[].app-restriction: timeline.1.at.nanoseconds 60000000000 → 0; timeline.1.change.restriction - → true; timeline.2.at.nanoseconds - → 60000000000; timeline.2.change.push.urgent - → true; and 2 more
        """#,
        #"""
        middleboxes.wifi.[].udp: middleboxes.wifi.0.udp.nanoseconds 0 → 60000000000
        """#,
        #"""
        phone.tunnel.keepalive: tunnel.keepalive.nanoseconds 25000000000 → 26000000000
        phone.tunnel.rekey: tunnel.rekey.nanoseconds 120000000000 → 180000000000
        phone.tunnel.retry: tunnel.retry.nanoseconds 5000000000 → 6000000000
        phone.tunnel.give-up: tunnel.giveUp.nanoseconds 90000000000 → 91000000000
        phone.tunnel.dead-after: tunnel.deadAfter.nanoseconds 180000000000 → 240000000000
        phone.tunnel.clock: tunnel.clock elapsed → uptime
        phone.tunnel.on-path-change: tunnel.onPathChange rebind → keep
        phone.tunnel.routes: tunnel.routes all → app
        phone.tunnel.mtu: tunnel.mtu 1420 → 1421
        phone.tunnel.overhead: tunnel.overhead 60 → 61
        phone.tunnel.queue: tunnel.queue 128 → 129
        timeline.[].metered: timeline.0.change.pathUp..1.isMetered true → false
        """#,
        #"""
        server.errors.messages.transient: server.faults.messages.transient.halves 92233720368547758 → 184467440737095516
        server.errors.messages.permanent: server.faults.messages.permanent.halves 276701161105643274 → 368934881474191032
        server.errors.messages.locked: server.faults.messages.lock.nanoseconds 60000000000 → 120000000000
        """#,
        #"""
        resolver.wifi.ipv4: resolver.wifi.ipv4 works → broken
        resolver.wifi.ipv6: resolver.wifi.ipv6 absent → works
        resolver.wifi.nat64: resolver.wifi.translates true → false
        resolver.wifi.outside: resolver.wifi.privateAddress silent → reset
        resolver.wifi.hairpin: resolver.wifi.reachesPublicAddress true → false
        resolver.cellular.ipv4: resolver.cellular.ipv4 works → broken
        resolver.cellular.ipv6: resolver.cellular.ipv6 absent → works
        resolver.cellular.nat64: resolver.cellular.translates true → false
        resolver.cellular.outside: resolver.cellular.privateAddress silent → reset
        resolver.cellular.hairpin: resolver.cellular.reachesPublicAddress true → false
        """#,
        #"""
        resolver.wifi.address: resolver.wifi.privateAddress nil → silent
        resolver.cellular.address: resolver.cellular.privateAddress nil → silent
        """#,
        #"""
        server.exchange-lifetime: server.exchangeLifetime.nanoseconds 240000000000 → 300000000000
        """#,
        #"""
        server.push.priority: server.push normal → high
        server.push.collapse-keys: server.pushQueue.collapseKeys 3 → 0
        server.push.ttl: server.pushQueue.timeToLive.nanoseconds 3600000000000 → 7200000000000
        server.push.pending-limit: server.pushQueue.pendingLimit 10 → 11
        server.push.key-limit: server.pushQueue.keyLimit 2 → 3
        traffic.down.[].push.priority: traffic.down.push.priority high → none
        traffic.down.[].push.collapse-keys: traffic.down.push.collapseKeys 1 → 0
        traffic.down.[].push.ttl: traffic.down.push.timeToLive.nanoseconds 60000000000 → 120000000000
        traffic.down.[].push: traffic.down.parallelStreams.0.push.priority none → high
        """#,
        #"""
        server.streams.ends-every: server.streams.endsEvery.nanoseconds 60000000000 → 120000000000
        server.streams.silent: server.streams.silent.halves 92233720368547758 → 184467440737095516
        server.streams.refused: server.streams.refused.halves 276701161105643274 → 368934881474191032
        server.streams.unanswered: server.streams.unanswered.halves 461168601842738790 → 553402322211286548
        timeline.[].streams: timeline.1.change.subscriptionsEnded.isSilent false → true
        timeline.[].streams.lost: timeline.2.change.subscriptionsEnded.count 1 → 2
        timeline.[].streams.ended: timeline.3.change.subscriptionsEnded.count 1 → 2
        """#,
        #"""
        server.presence.grace: server.presence.grace.nanoseconds 60000000000 → 120000000000
        """#,
        #"""
        server.peer.relay: server.peer.relayDelay.nanoseconds 30000000 → 40000000
        timeline.[].peer: timeline.1.change.peer moves → blocked
        """#,
        #"""
        links.wifi.reordering.share: wifiLink.up.reordering.share.halves 184467440737095516 → 276701161105643274; wifiLink.down.reordering.share.halves 184467440737095516 → 276701161105643274
        links.wifi.reordering.by: wifiLink.up.reordering.delay.nanoseconds 20000000 → 21000000; wifiLink.down.reordering.delay.nanoseconds 20000000 → 21000000
        links.cellular.up.reordering.share: cellularLink.up.reordering.share.halves 184467440737095516 → 276701161105643274
        links.cellular.up.reordering.by: cellularLink.up.reordering.delay.nanoseconds 20000000 → 21000000
        links.cellular.down.reordering.share: cellularLink.down.reordering.share.halves 184467440737095516 → 276701161105643274
        links.cellular.down.reordering.by: cellularLink.down.reordering.delay.nanoseconds 20000000 → 21000000
        links.others.mine.reordering.share: wifiConditions.0.up.reordering.share.halves 184467440737095516 → 276701161105643274; wifiConditions.0.down.reordering.share.halves 184467440737095516 → 276701161105643274
        links.others.mine.reordering.by: wifiConditions.0.up.reordering.delay.nanoseconds 20000000 → 21000000; wifiConditions.0.down.reordering.delay.nanoseconds 20000000 → 21000000
        """#,
        #"""
        links.cellular.reordering.share: cellularLink.up.reordering.share.halves 184467440737095516 → 276701161105643274; cellularLink.down.reordering.share.halves 184467440737095516 → 276701161105643274
        links.cellular.reordering.by: cellularLink.up.reordering.delay.nanoseconds 20000000 → 21000000; cellularLink.down.reordering.delay.nanoseconds 20000000 → 21000000
        """#,
        #"""
        phone.prefers: preference.ranks 197650 → 196930; preference.waiting 11 → 10
        links.bluetooth.rate: furtherNetworks.0.links.0.up.bitsPerSecond 1000000 → 2000000; furtherNetworks.0.links.0.down.bitsPerSecond 1000000 → 2000000
        links.sim2.delay: furtherNetworks.1.links.0.up.delay.first 20000000 → 21000000; furtherNetworks.1.links.0.up.floor.nanoseconds 20000000 → 21000000; furtherNetworks.1.links.0.down.delay.first 20000000 → 21000000; furtherNetworks.1.links.0.down.floor.nanoseconds 20000000 → 21000000
        links.ethernet.loss: furtherNetworks.2.links.0.up.loss.independent.halves 92233720368547758 → 184467440737095516; furtherNetworks.2.links.0.down.loss.independent.halves 92233720368547758 → 184467440737095516
        middleboxes.bluetooth.[].tcp: middleboxes.further.0.0.tcp.nanoseconds 300000000000 → 360000000000
        middleboxes.sim2.[].tcp: middleboxes.further.1.0.tcp.nanoseconds 300000000000 → 360000000000
        middleboxes.ethernet.[].tcp: middleboxes.further.2.0.tcp.nanoseconds 300000000000 → 360000000000
        timeline.[].reach: timeline.0.change.pathUp..1.reach all → internet
        timeline.[].bluetooth: timeline.1.change.pathUp..0 bluetooth → sim2; timeline.2.change.pathUp..0 sim2 → ethernet; timeline.3.at.nanoseconds 0 → 60000000000; timeline.3.change.conditions..0 - → bluetooth; and 13 more
        timeline.[].sim2: timeline.2.change.pathUp..0 sim2 → ethernet; timeline.3.at.nanoseconds 0 → 60000000000; timeline.3.change.conditions..0 - → bluetooth; timeline.3.change.conditions..1 - → 1; and 12 more
        timeline.[].ethernet: timeline.3.at.nanoseconds 0 → 60000000000; timeline.3.change.conditions..0 - → bluetooth; timeline.3.change.conditions..1 - → 1; timeline.4.change.conditions..0 bluetooth → sim2; and 11 more
        timeline.[].conditions.bluetooth: furtherNetworks.0.links.1.up.delay.first 35000000 → 20000000; furtherNetworks.0.links.1.up.floor.nanoseconds 35000000 → 20000000; furtherNetworks.0.links.1.up.bitsPerSecond 10000000 → 20000000; furtherNetworks.0.links.1.down.delay.first 35000000 → 20000000; and 2 more
        timeline.[].conditions.sim2: furtherNetworks.1.links.1.up.delay.first 10000000 → 20000000; furtherNetworks.1.links.1.up.floor.nanoseconds 10000000 → 20000000; furtherNetworks.1.links.1.down.delay.first 10000000 → 20000000; furtherNetworks.1.links.1.down.floor.nanoseconds 10000000 → 20000000; and 1 more
        timeline.[].conditions.ethernet: furtherNetworks.2.links.1.up.delay.first 35000000 → 20000000; furtherNetworks.2.links.1.up.floor.nanoseconds 35000000 → 20000000; furtherNetworks.2.links.1.up.bitsPerSecond 10000000 → 20000000; furtherNetworks.2.links.1.down.delay.first 35000000 → 20000000; and 2 more
        """#,
    ]
}
