extension WorldBounds {
    static let second = [
        #"""
        server.ping-floor -: E0108 must be at least 1ms
        server.ping-floor +: E0108 at most 9223372036854775807ns
        server.ping-strikes -: E0108 must be from 0 to 200
        server.ping-strikes +: E0108 must be from 0 to 200
        server.max-connection-idle -: E0108 must be at least 1ms
        server.max-connection-idle +: E0108 at most 9223372036854775807ns
        server.max-connection-age -: E0108 must be at least 1ms
        server.max-connection-age +: E0108 at most 9223372036854775807ns
        server.max-connection-age-grace -: E0108 must be at least 0s
        server.max-connection-age-grace +: E0108 at most 9223372036854775807ns
        server.keepalive.time -: E0108 must be at least 1ms
        server.keepalive.time +: E0108 at most 9223372036854775807ns
        server.keepalive.timeout -: E0108 must be at least 1ms
        server.keepalive.timeout +: E0108 at most 9223372036854775807ns
        server.dedup.bytes -: E0108 must be from 1B to 1MiB
        server.dedup.bytes +: E0108 must be from 1B to 1MiB
        server.dedup.hashes -: E0108 must be from 1 to 32
        server.dedup.hashes +: E0108 must be from 1 to 32
        server.dedup.window -: E0108 must be from 1 to 1000000
        server.dedup.window +: E0108 must be from 1 to 1000000
        """#,
        #"""
        server.heartbeat.every -: E0108 must be at least 1ms
        server.heartbeat.every +: E0108 at most 9223372036854775807ns
        server.heartbeat.timeout -: E0108 must be at least 1ms
        server.heartbeat.timeout +: E0108 at most 9223372036854775807ns
        server.heartbeat.size -: E0108 must be from 0KiB to 64KiB
        server.heartbeat.size +: E0108 must be from 0KiB to 64KiB
        """#,
        #"""
        server.dedup.window.messages -: E0108 must be from 1 to 1000000
        server.dedup.window.messages +: E0108 must be from 1 to 1000000
        server.dedup.window.time -: E0108 must be at least 1ms
        server.dedup.window.time +: E0108 at most 9223372036854775807ns
        """#,
        #"""

        """#,
        #"""
        timeline.[].alarm-clock -: E0108 must be from 1ms to 8784h
        timeline.[].alarm-clock +: E0108 at most 8784h
        """#,
        #"""

        """#,
        #"""

        """#,
        #"""
        timeline.[].portal -: E0108 must be from 1ms to 8784h
        timeline.[].portal +: E0108 at most 8784h
        """#,
        #"""
        timeline.[].usable-after -: E0108 must be at least 0s
        timeline.[].usable-after +: E0108 at most 9223372036854775807ns
        timeline.[].announced-after -: E0108 must be at least 0s
        timeline.[].announced-after +: E0108 at most 9223372036854775807ns
        timeline.[].at -: E0108 must be from 0s to 8784h
        timeline.[].at +: E0108 at most 8784h
        timeline.[].dead-zone -: E0108 must be from 1ms to 8784h
        timeline.[].dead-zone +: E0108 at most 8784h
        timeline.[].phones -: E0108 must be from 0 to 1, or 0% to 100%
        timeline.[].phones +: E0108 must be from 0 to 1, or 0% to 100%
        timeline.[].repeat.every -: E0108 must be from 1ms to 8784h
        timeline.[].repeat.every +: E0108 at most 8784h
        timeline.[].repeat.times -: E0108 must be from 1 to 65535
        timeline.[].repeat.times +: E0108 must be from 1 to 65535
        timeline.[].wan-cut -: E0108 must be from 1ms to 8784h
        timeline.[].wan-cut +: E0108 at most 8784h
        timeline.[].for -: E0108 must be from 1ms to 8784h
        timeline.[].for +: E0108 at most 8784h
        timeline.[].roam -: E0108 must be from 1ms to 8784h
        timeline.[].roam +: E0108 at most 8784h
        timeline.[].takes -: E0108 must be from 1ms to 8784h
        timeline.[].takes +: E0108 at most 8784h
        timeline.[].for -: E0108 must be from 1ms to 8784h
        timeline.[].for +: E0108 at most 8784h
        timeline.[].deploy.over -: E0108 must be at least 0s
        timeline.[].deploy.over +: E0108 at most 9223372036854775807ns
        timeline.[].deploy.instances -: E0108 must be from 1 to 10000
        timeline.[].deploy.instances +: E0108 must be from 1 to 10000
        timeline.[].airplane -: E0108 must be from 1ms to 8784h
        timeline.[].airplane +: E0108 at most 8784h
        timeline.[].gap -: E0108 must be from 0s to 8784h
        timeline.[].gap +: E0108 at most 8784h
        timeline.[].chaos.disconnect -: E0108 must be from 1ms to 24h
        timeline.[].chaos.disconnect +: E0108 at most 24h
        timeline.[].chaos.handoff -: E0108 must be from 1ms to 24h
        timeline.[].chaos.handoff +: E0108 at most 24h
        timeline.[].chaos.kill -: E0108 must be from 1ms to 24h
        timeline.[].chaos.kill +: E0108 at most 24h
        timeline.[].chaos.for -: E0108 must be from 1ms to 8784h
        timeline.[].chaos.for +: E0108 at most 8784h
        timeline.[].chaos.seed -: E0108 must be at least 0
        timeline.[].chaos.seed +: read
        timeline.[].chaos.dead-zone.every -: E0108 must be from 1ms to 24h
        timeline.[].chaos.dead-zone.every +: E0108 at most 24h
        timeline.[].chaos.dead-zone.for -: E0108 must be from 1ms to 24h
        timeline.[].chaos.dead-zone.for +: E0108 at most 24h
        """#,
        #"""
        timeline.[].overlap -: E0108 must be from 0s to 8784h
        timeline.[].overlap +: E0108 at most 8784h
        timeline.[].freeze-ui -: E0108 must be from 1ms to 8784h
        timeline.[].freeze-ui +: E0108 at most 8784h
        """#,
        #"""
        population.near.phones -: E0108 must be from 1 to 10000000
        population.near.phones +: E0108 must be from 1 to 10000000
        """#,
        #"""
        timeline.[].phones -: E0108 must be from 0 to 1, or 0% to 100%
        timeline.[].phones +: E0108 must be from 1 to 10000000
        traffic.up.[].every -: E0108 must be from 1ms to 8784h
        traffic.up.[].every +: E0108 at most 8784h
        traffic.up.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.up.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.up.[].every -: E0108 must be from 1ms to 8784h
        traffic.up.[].every +: E0108 at most 8784h
        traffic.up.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.up.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.down.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.down.[].size +: E0108 must be from 0KiB to 1GiB
        """#,
        #"""
        traffic.calls.[].every -: E0108 must be from 1ms to 8784h
        traffic.calls.[].every +: E0108 at most 8784h
        traffic.calls.[].from -: E0108 must be from 0s to 2h
        traffic.calls.[].from +: E0108 at most 2h
        traffic.calls.[].until -: E0108 must be from 0s to 2h
        traffic.calls.[].until +: E0108 at most 2h
        traffic.calls.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].answer -: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].answer +: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].jitter -: E0108 must be from 0% to 100%
        traffic.calls.[].jitter +: E0108 must be from 0% to 100%
        traffic.calls.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].answer -: E0108 must be from 0KiB to 1GiB
        traffic.calls.[].answer +: E0108 must be from 0KiB to 1GiB
        """#,
        #"""
        app.memory-limit -: E0108 must be from 1B to 1024GiB
        app.memory-limit +: E0108 must be from 1B to 1024GiB
        server.session-limit -: E0108 must be at least 1ms
        server.session-limit +: E0108 at most 9223372036854775807ns
        server.versions.new.history.messages -: E0108 must be from 0 to 4294967295
        server.versions.new.history.messages +: E0108 must be from 0 to 4294967295
        server.versions.new.history.time -: E0108 must be at least 0s
        server.versions.new.history.time +: E0108 at most 9223372036854775807ns
        server.versions.new.history.snapshot -: E0108 must be from 0KiB to 2MiB
        server.versions.new.history.snapshot +: E0108 must be from 0KiB to 2MiB
        server.versions.new.history.replay -: E0108 must be from 0 to 1000000
        server.versions.new.history.replay +: E0108 must be from 0 to 1000000
        server.versions.new.resume-window -: E0108 must be at least 1ms
        server.versions.new.resume-window +: E0108 at most 9223372036854775807ns
        server.versions.new.ping-floor -: E0108 must be at least 1ms
        server.versions.new.ping-floor +: E0108 at most 9223372036854775807ns
        server.versions.new.ping-strikes -: E0108 must be from 0 to 200
        server.versions.new.ping-strikes +: E0108 must be from 0 to 200
        server.versions.new.max-connection-idle -: E0108 must be at least 1ms
        server.versions.new.max-connection-idle +: E0108 at most 9223372036854775807ns
        server.versions.new.max-connection-age -: E0108 must be at least 1ms
        server.versions.new.max-connection-age +: E0108 at most 9223372036854775807ns
        server.versions.new.max-connection-age-grace -: E0108 must be at least 0s
        server.versions.new.max-connection-age-grace +: E0108 at most 9223372036854775807ns
        server.versions.new.session-limit -: E0108 must be at least 1ms
        server.versions.new.session-limit +: E0108 at most 9223372036854775807ns
        server.versions.new.keepalive.time -: E0108 must be at least 1ms
        server.versions.new.keepalive.time +: E0108 at most 9223372036854775807ns
        server.versions.new.keepalive.timeout -: E0108 must be at least 1ms
        server.versions.new.keepalive.timeout +: E0108 at most 9223372036854775807ns
        server.versions.new.think -: E0108 must be from 0s to 1h
        server.versions.new.think +: E0108 at most 1h
        """#,
        #"""
        server.codes.completed -: E0108 must be from 1 to 4999
        server.codes.completed +: E0108 must be from 1 to 4999
        server.codes.denied -: E0108 must be from 1 to 4999
        server.codes.denied +: E0108 must be from 1 to 4999
        server.codes.ended -: E0108 must be from 1 to 4999
        server.codes.ended +: E0108 must be from 1 to 4999
        server.codes.forbidden -: E0108 must be from 1 to 4999
        server.codes.forbidden +: E0108 must be from 1 to 4999
        server.codes.turned-away -: E0108 must be from 1 to 4999
        server.codes.turned-away +: E0108 must be from 1 to 4999
        """#,
        #"""
        server.credentials.life -: E0108 must be from 1s to 8784h
        server.credentials.life +: E0108 at most 8784h
        server.credentials.leeway -: E0108 must be from 0s to 1h
        server.credentials.leeway +: E0108 at most 1h
        server.credentials.refresh.takes -: E0108 must be from 0s to 1h
        server.credentials.refresh.takes +: E0108 must be from 0s to 1h
        server.credentials.refresh.grace -: E0108 must be from 0s to 1h
        server.credentials.refresh.grace +: E0108 at most 1h
        server.credentials.refresh.round-trips -: E0108 must be from 1 to 9
        server.credentials.refresh.round-trips +: E0108 must be from 1 to 9
        server.credentials.refresh.up -: E0108 must be from 40B to 100000B
        server.credentials.refresh.up +: E0108 must be from 40B to 100000B
        server.credentials.refresh.down -: E0108 must be from 40B to 1000000B
        server.credentials.refresh.down +: E0108 must be from 40B to 1000000B
        """#,
        #"""

        """#,
        #"""
        resolver.negative-ttl -: E0108 must be from 0s to 8784h
        resolver.negative-ttl +: E0108 at most 8784h
        resolver.wifi.ttl -: E0108 must be from 0s to 8784h
        resolver.wifi.ttl +: E0108 at most 8784h
        resolver.wifi.negative-ttl -: E0108 must be from 0s to 8784h
        resolver.wifi.negative-ttl +: E0108 at most 8784h
        resolver.wifi.work -: E0108 must be from 0s to 1m
        resolver.wifi.work +: E0108 at most 1m
        resolver.cellular.ttl -: E0108 must be from 0s to 8784h
        resolver.cellular.ttl +: E0108 at most 8784h
        resolver.cellular.negative-ttl -: E0108 must be from 0s to 8784h
        resolver.cellular.negative-ttl +: E0108 at most 8784h
        resolver.cellular.work -: E0108 must be from 0s to 1m
        resolver.cellular.work +: E0108 at most 1m
        timeline.[].dns-after -: E0108 must be from 0s to 8784h
        timeline.[].dns-after +: E0108 at most 8784h
        """#,
        #"""

        """#,
        #"""

        """#,
        #"""
        phone.tunnel.keepalive -: E0108 must be from 1s to 8784h
        phone.tunnel.keepalive +: E0108 at most 8784h
        phone.tunnel.rekey -: E0108 must be from 1s to 8784h
        phone.tunnel.rekey +: E0108 at most 8784h
        phone.tunnel.retry -: E0108 must be from 1s to 8784h
        phone.tunnel.retry +: E0108 at most 8784h
        phone.tunnel.give-up -: E0108 must be from 1s to 8784h
        phone.tunnel.give-up +: E0108 at most 8784h
        phone.tunnel.dead-after -: E0108 must be from 1s to 8784h
        phone.tunnel.dead-after +: E0108 at most 8784h
        phone.tunnel.mtu -: E0108 must be from 1280 to 1500
        phone.tunnel.mtu +: E0108 must be from 1280 to 1500
        phone.tunnel.overhead -: E0108 must be from 0KiB to 200B
        phone.tunnel.overhead +: E0108 must be from 0KiB to 200B
        phone.tunnel.queue -: E0108 must be from 1 to 10000
        phone.tunnel.queue +: E0108 must be from 1 to 10000
        """#,
        #"""
        server.errors.messages.transient -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.messages.transient +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.messages.permanent -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.messages.permanent +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.messages.locked -: E0108 must be from 1ms to 24h
        server.errors.messages.locked +: E0108 at most 24h
        """#,
        "",
        "",
        #"""
        server.exchange-lifetime -: E0108 must be from 0s to 24h
        server.exchange-lifetime +: E0108 at most 24h
        """#,
        #"""
        server.push.collapse-keys -: E0108 must be from 1 to 1000
        server.push.collapse-keys +: E0108 must be from 1 to 1000
        server.push.ttl -: E0108 must be from 0s to 672h
        server.push.ttl +: E0108 at most 672h
        server.push.pending-limit -: E0108 must be from 1 to 1000
        server.push.pending-limit +: E0108 must be from 1 to 1000
        server.push.key-limit -: E0108 must be from 1 to 100
        server.push.key-limit +: E0108 must be from 1 to 100
        traffic.down.[].push.collapse-keys -: E0108 must be from 1 to 1000
        traffic.down.[].push.collapse-keys +: E0108 must be from 1 to 1000
        traffic.down.[].push.ttl -: E0108 must be from 0s to 672h
        traffic.down.[].push.ttl +: E0108 at most 672h
        """#,
        #"""
        server.streams.ends-every -: E0108 must be from 1s to 8784h
        server.streams.ends-every +: E0108 at most 8784h
        server.streams.silent -: E0108 must be from 0 to 1, or 0% to 100%
        server.streams.silent +: E0108 must be from 0 to 1, or 0% to 100%
        server.streams.refused -: E0108 must be from 0 to 1, or 0% to 100%
        server.streams.refused +: E0108 must be from 0 to 1, or 0% to 100%
        server.streams.unanswered -: E0108 must be from 0 to 1, or 0% to 100%
        server.streams.unanswered +: E0108 must be from 0 to 1, or 0% to 100%
        timeline.[].streams.lost -: E0108 must be from 1 to 64
        timeline.[].streams.lost +: E0108 must be from 1 to 64
        timeline.[].streams.ended -: E0108 must be from 1 to 64
        timeline.[].streams.ended +: E0108 must be from 1 to 64
        """#,
        #"""
        server.presence.grace -: E0108 must be from 0s to 24h
        server.presence.grace +: E0108 at most 24h
        """#,
        #"""
        server.peer.relay -: E0108 must be from 0s to 10s
        server.peer.relay +: E0108 must be from 0s to 10s
        """#,
        #"""
        links.wifi.reordering.share -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.reordering.share +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.reordering.by -: E0108 must be from 1us to 1m
        links.wifi.reordering.by +: E0108 must be from 1us to 1m
        links.cellular.up.reordering.share -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.up.reordering.share +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.up.reordering.by -: E0108 must be from 1us to 1m
        links.cellular.up.reordering.by +: E0108 must be from 1us to 1m
        links.cellular.down.reordering.share -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.down.reordering.share +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.down.reordering.by -: E0108 must be from 1us to 1m
        links.cellular.down.reordering.by +: E0108 must be from 1us to 1m
        links.others.mine.reordering.share -: E0108 must be from 0 to 1, or 0% to 100%
        links.others.mine.reordering.share +: E0108 must be from 0 to 1, or 0% to 100%
        links.others.mine.reordering.by -: E0108 must be from 1us to 1m
        links.others.mine.reordering.by +: E0108 must be from 1us to 1m
        """#,
        #"""
        links.cellular.reordering.share -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.reordering.share +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.reordering.by -: E0108 must be from 1us to 1m
        links.cellular.reordering.by +: E0108 must be from 1us to 1m
        """#,
        #"""
        links.bluetooth.rate -: E0108 must be from 1kbps to 1000Gbps
        links.bluetooth.rate +: E0108 must be from 1kbps to 1000Gbps
        links.sim2.delay -: E0108 must be from 0s to 10m
        links.sim2.delay +: E0108 must be from 0s to 10m
        links.ethernet.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.ethernet.loss +: E0108 must be from 0 to 1, or 0% to 100%
        middleboxes.bluetooth.[].tcp -: E0108 must be from 1ms to 8784h
        middleboxes.bluetooth.[].tcp +: E0108 at most 8784h
        middleboxes.sim2.[].tcp -: E0108 must be from 1ms to 8784h
        middleboxes.sim2.[].tcp +: E0108 at most 8784h
        middleboxes.ethernet.[].tcp -: E0108 must be from 1ms to 8784h
        middleboxes.ethernet.[].tcp +: E0108 at most 8784h
        """#,
    ]
}
