/// The fault of each number of `WorldTexts` far below and far above its range, in its order.
enum WorldBounds {
    static let all = first + second

    private static let first = [
        #"""
        phone.radios.wifi.promotion -: E0108 must be from 0s to 1m
        phone.radios.wifi.promotion +: E0108 must be from 0s to 1m
        phone.radios.cellular.promotion -: E0108 must be from 0s to 1m
        phone.radios.cellular.promotion +: E0108 must be from 0s to 1m
        phone.radios.lte.promotion -: E0108 must be from 0s to 1m
        phone.radios.lte.promotion +: E0108 must be from 0s to 1m
        phone.radios.nr.promotion -: E0108 must be from 0s to 1m
        phone.radios.nr.promotion +: E0108 must be from 0s to 1m
        phone.radios.umts.promotion -: E0108 must be from 0s to 1m
        phone.radios.umts.promotion +: E0108 must be from 0s to 1m
        phone.battery.charge -: E0108 must be from 1mAh to 1000Ah
        phone.battery.charge +: E0108 must be from 1mAh to 1000Ah
        phone.battery.voltage -: E0108 must be from 100mV to 100V
        phone.battery.voltage +: E0108 must be from 100mV to 100V
        phone.apps.push.every -: E0108 must be from 1s to 8784h
        phone.apps.push.every +: E0108 at most 8784h
        phone.apps.push.every-on-cellular -: E0108 must be from 1s to 8784h
        phone.apps.push.every-on-cellular +: E0108 at most 8784h
        phone.apps.push.up -: E0108 must be from 40B to 100000000B
        phone.apps.push.up +: E0108 must be from 40B to 100000000B
        phone.apps.push.down -: E0108 must be from 40B to 100000000B
        phone.apps.push.down +: E0108 must be from 40B to 100000000B
        duration -: E0108 must be from 1ms to 8784h
        duration +: E0108 at most 8784h
        phones -: E0108 must be from 1 to 10000000
        phones +: E0108 must be from 1 to 10000000
        """#,
        #"""
        links.wifi.delay -: E0108 must be from 0s to 10m
        links.wifi.delay +: E0108 must be from 0s to 10m
        links.wifi.floor -: E0108 must be at least 0s
        links.wifi.floor +: read
        links.wifi.rate -: E0108 must be from 1kbps to 1000Gbps
        links.wifi.rate +: E0108 must be from 1kbps to 1000Gbps
        links.wifi.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.loss +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.queue -: E0108 must be from 1B to 1024GiB
        links.wifi.queue +: E0108 must be from 1B to 1024GiB
        links.wifi.spikes.every -: E0108 must be from 1ms to 8784h
        links.wifi.spikes.every +: E0108 at most 8784h
        links.wifi.spikes.for -: E0108 must be from 1ms to 8784h
        links.wifi.spikes.for +: E0108 at most 8784h
        links.wifi.spikes.add -: E0108 must be from 0s to 8784h
        links.wifi.spikes.add +: E0108 at most 8784h
        links.cellular.up.delay -: E0108 must be from 0s to 10m
        links.cellular.up.delay +: E0108 must be from 0s to 10m
        links.cellular.up.floor -: E0108 must be at least 0s
        links.cellular.up.floor +: read
        links.cellular.up.rate -: E0108 must be from 1kbps to 1000Gbps
        links.cellular.up.rate +: E0108 must be from 1kbps to 1000Gbps
        links.cellular.up.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.up.loss +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.up.queue -: E0108 must be from 1B to 1024GiB
        links.cellular.up.queue +: E0108 must be from 1B to 1024GiB
        links.cellular.up.spikes.every -: E0108 must be from 1ms to 8784h
        links.cellular.up.spikes.every +: E0108 at most 8784h
        links.cellular.up.spikes.for -: E0108 must be from 1ms to 8784h
        links.cellular.up.spikes.for +: E0108 at most 8784h
        links.cellular.up.spikes.add -: E0108 must be from 0s to 8784h
        links.cellular.up.spikes.add +: E0108 at most 8784h
        links.cellular.down.delay -: E0108 must be from 0s to 10m
        links.cellular.down.delay +: E0108 must be from 0s to 10m
        links.cellular.down.floor -: E0108 must be at least 0s
        links.cellular.down.floor +: read
        links.cellular.down.rate -: E0108 must be from 1kbps to 1000Gbps
        links.cellular.down.rate +: E0108 must be from 1kbps to 1000Gbps
        links.cellular.down.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.down.loss +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.down.queue -: E0108 must be from 1B to 1024GiB
        links.cellular.down.queue +: E0108 must be from 1B to 1024GiB
        links.cellular.down.spikes.every -: E0108 must be from 1ms to 8784h
        links.cellular.down.spikes.every +: E0108 at most 8784h
        links.cellular.down.spikes.for -: E0108 must be from 1ms to 8784h
        links.cellular.down.spikes.for +: E0108 at most 8784h
        links.cellular.down.spikes.add -: E0108 must be from 0s to 8784h
        links.cellular.down.spikes.add +: E0108 at most 8784h
        """#,
        #"""
        links.wifi.jitter -: E0108 must be at least 0s
        links.wifi.jitter +: E0215 needs a constant delay of at least the jitter
        links.wifi.loss.gilbert-elliott.good -: E0108 must be from 1ms to 24h
        links.wifi.loss.gilbert-elliott.good +: E0108 at most 24h
        links.wifi.loss.gilbert-elliott.bad -: E0108 must be from 1ms to 24h
        links.wifi.loss.gilbert-elliott.bad +: E0108 must be from 1ms to 24h
        links.wifi.loss.gilbert-elliott.loss-in-good -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.loss.gilbert-elliott.loss-in-good +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.loss.gilbert-elliott.loss-in-bad -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.loss.gilbert-elliott.loss-in-bad +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.down.loss.gilbert-elliott.good -: E0108 must be from 1ms to 24h
        links.wifi.down.loss.gilbert-elliott.good +: E0108 at most 24h
        links.wifi.down.loss.gilbert-elliott.bad -: E0108 must be from 1ms to 24h
        links.wifi.down.loss.gilbert-elliott.bad +: E0108 must be from 1ms to 24h
        links.wifi.down.loss.gilbert-elliott.loss-in-good -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.down.loss.gilbert-elliott.loss-in-good +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.down.loss.gilbert-elliott.loss-in-bad -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.down.loss.gilbert-elliott.loss-in-bad +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.down.jitter -: E0108 must be at least 0s
        links.wifi.down.jitter +: E0215 needs a constant delay of at least the jitter
        """#,
        #"""
        links.wifi.up.loss.gilbert-elliott.good -: E0108 must be from 1ms to 24h
        links.wifi.up.loss.gilbert-elliott.good +: E0108 at most 24h
        links.wifi.up.loss.gilbert-elliott.bad -: E0108 must be from 1ms to 24h
        links.wifi.up.loss.gilbert-elliott.bad +: E0108 must be from 1ms to 24h
        links.wifi.up.loss.gilbert-elliott.loss-in-good -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.up.loss.gilbert-elliott.loss-in-good +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.up.loss.gilbert-elliott.loss-in-bad -: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.up.loss.gilbert-elliott.loss-in-bad +: E0108 must be from 0 to 1, or 0% to 100%
        links.wifi.up.jitter -: E0108 must be at least 0s
        links.wifi.up.jitter +: E0215 needs a constant delay of at least the jitter
        """#,
        #"""
        links.cellular.delay -: E0108 must be from 0s to 10m
        links.cellular.delay +: E0108 must be from 0s to 10m
        links.cellular.floor -: E0108 must be at least 0s
        links.cellular.floor +: read
        links.cellular.rate -: E0108 must be from 1kbps to 1000Gbps
        links.cellular.rate +: E0108 must be from 1kbps to 1000Gbps
        links.cellular.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.loss +: E0108 must be from 0 to 1, or 0% to 100%
        links.cellular.queue -: E0108 must be from 1B to 1024GiB
        links.cellular.queue +: E0108 must be from 1B to 1024GiB
        links.cellular.spikes.every -: E0108 must be from 1ms to 8784h
        links.cellular.spikes.every +: E0108 at most 8784h
        links.cellular.spikes.for -: E0108 must be from 1ms to 8784h
        links.cellular.spikes.for +: E0108 at most 8784h
        links.cellular.spikes.add -: E0108 must be from 0s to 8784h
        links.cellular.spikes.add +: E0108 at most 8784h
        links.others.mine.delay -: E0108 must be from 0s to 10m
        links.others.mine.delay +: E0108 must be from 0s to 10m
        links.others.mine.floor -: E0108 must be at least 0s
        links.others.mine.floor +: read
        links.others.mine.rate -: E0108 must be from 1kbps to 1000Gbps
        links.others.mine.rate +: E0108 must be from 1kbps to 1000Gbps
        links.others.mine.loss -: E0108 must be from 0 to 1, or 0% to 100%
        links.others.mine.loss +: E0108 must be from 0 to 1, or 0% to 100%
        links.others.mine.queue -: E0108 must be from 1B to 1024GiB
        links.others.mine.queue +: E0108 must be from 1B to 1024GiB
        links.others.mine.spikes.every -: E0108 must be from 1ms to 8784h
        links.others.mine.spikes.every +: E0108 at most 8784h
        links.others.mine.spikes.for -: E0108 must be from 1ms to 8784h
        links.others.mine.spikes.for +: E0108 at most 8784h
        links.others.mine.spikes.add -: E0108 must be from 0s to 8784h
        links.others.mine.spikes.add +: E0108 at most 8784h
        """#,
        #"""
        middleboxes.wifi.[].tcp -: E0108 must be from 1ms to 8784h
        middleboxes.wifi.[].tcp +: E0108 at most 8784h
        middleboxes.wifi.[].udp -: E0108 must be from 1ms to 8784h
        middleboxes.wifi.[].udp +: E0108 at most 8784h
        middleboxes.wifi.[].idle -: E0108 must be from 1ms to 8784h
        middleboxes.wifi.[].idle +: E0108 at most 8784h
        middleboxes.cellular.[].tcp -: E0108 must be from 1ms to 8784h
        middleboxes.cellular.[].tcp +: E0108 at most 8784h
        middleboxes.server.[].idle -: E0108 must be from 1ms to 8784h
        middleboxes.server.[].idle +: E0108 at most 8784h
        """#,
        #"""
        resolver.ttl -: E0108 must be from 0s to 8784h
        resolver.ttl +: E0108 at most 8784h
        resolver.timeout -: E0108 must be from 1ms to 10m
        resolver.timeout +: E0108 at most 10m
        resolver.attempts -: E0108 must be from 1 to 32
        resolver.attempts +: E0108 must be from 1 to 32
        resolver.work -: E0108 must be from 0s to 1m
        resolver.work +: E0108 must be from 0s to 1m
        app.consumes -: E0108 must be from 0s to 8784h
        app.consumes +: read
        app.stalls.every -: E0108 must be from 1ms to 8784h
        app.stalls.every +: E0108 at most 8784h
        app.stalls.for -: E0108 must be from 0s to 8784h
        app.stalls.for +: E0108 at most 8784h
        """#,
        #"""
        traffic.down.every -: E0108 must be from 1ms to 8784h
        traffic.down.every +: E0108 at most 8784h
        traffic.down.size -: E0108 must be from 0KiB to 1GiB
        traffic.down.size +: E0108 must be from 0KiB to 1GiB
        traffic.down.from -: E0108 must be from 0s to 2h
        traffic.down.from +: E0108 at most 2h
        traffic.down.until -: E0108 must be from 0s to 2h
        traffic.down.until +: E0108 at most 2h
        traffic.up.every -: E0108 must be from 1ms to 8784h
        traffic.up.every +: E0108 at most 8784h
        traffic.up.size -: E0108 must be from 0KiB to 1GiB
        traffic.up.size +: E0108 must be from 0KiB to 1GiB
        traffic.up.from -: E0108 must be from 0s to 2h
        traffic.up.from +: E0108 at most 2h
        traffic.up.until -: E0108 must be from 0s to 2h
        traffic.up.until +: E0108 at most 2h
        traffic.up.jitter -: E0108 must be from 0% to 100%
        traffic.up.jitter +: E0108 must be from 0% to 100%
        traffic.probe.every -: E0108 must be from 1ms to 8784h
        traffic.probe.every +: E0108 at most 8784h
        traffic.probe.size -: E0108 must be from 0KiB to 1GiB
        traffic.probe.size +: E0108 must be from 0KiB to 1GiB
        traffic.probe.from -: E0108 must be from 0s to 2h
        traffic.probe.from +: E0108 at most 2h
        traffic.probe.until -: E0108 must be from 0s to 2h
        traffic.probe.until +: E0108 at most 2h
        traffic.calls.every -: E0108 must be from 1ms to 8784h
        traffic.calls.every +: E0108 at most 8784h
        traffic.calls.size -: E0108 must be from 0KiB to 1GiB
        traffic.calls.size +: E0108 must be from 0KiB to 1GiB
        traffic.calls.from -: E0108 must be from 0s to 2h
        traffic.calls.from +: E0108 at most 2h
        traffic.calls.until -: E0108 must be from 0s to 2h
        traffic.calls.until +: E0108 at most 2h
        traffic.calls.answer -: E0108 must be from 0KiB to 1GiB
        traffic.calls.answer +: E0108 must be from 0KiB to 1GiB
        """#,
        #"""

        """#,
        #"""
        traffic.down.jitter -: E0108 must be from 0% to 100%
        traffic.down.jitter +: E0108 must be from 0% to 100%
        """#,
        #"""
        traffic.probe.jitter -: E0108 must be from 0% to 100%
        traffic.probe.jitter +: E0108 must be from 0% to 100%
        traffic.calls.jitter -: E0108 must be from 0% to 100%
        traffic.calls.jitter +: E0108 must be from 0% to 100%
        """#,
        #"""
        traffic.down.[].every -: E0108 must be from 1ms to 8784h
        traffic.down.[].every +: E0108 at most 8784h
        traffic.down.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.down.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.down.[].until -: E0108 must be from 0s to 2h
        traffic.down.[].until +: E0108 at most 2h
        traffic.up.[].every -: E0108 must be from 1ms to 8784h
        traffic.up.[].every +: E0108 at most 8784h
        traffic.up.[].from -: E0108 must be from 0s to 2h
        traffic.up.[].from +: E0108 at most 2h
        traffic.up.[].jitter -: E0108 must be from 0% to 100%
        traffic.up.[].jitter +: E0108 must be from 0% to 100%
        traffic.up.[].size -: E0108 must be from 0KiB to 1GiB
        traffic.up.[].size +: E0108 must be from 0KiB to 1GiB
        traffic.up.[].until -: E0108 must be from 0s to 2h
        traffic.up.[].until +: E0108 at most 2h
        """#,
        #"""

        """#,
        #"""
        traffic.down.[].from -: E0108 must be from 0s to 2h
        traffic.down.[].from +: E0108 at most 2h
        traffic.down.[].jitter -: E0108 must be from 0% to 100%
        traffic.down.[].jitter +: E0108 must be from 0% to 100%
        """#,
        #"""
        server.accepts-per-second -: E0108 must be from 1 to 4294967295
        server.accepts-per-second +: E0108 must be from 1 to 4294967295
        server.think -: E0108 must be from 0s to 1h
        server.think +: E0108 must be from 0s to 1h
        server.idle-limit -: E0108 must be at least 1s
        server.idle-limit +: E0108 at most 9223372036854775807ns
        server.hold -: E0108 must be at least 1ms
        server.hold +: E0108 at most 9223372036854775807ns
        server.grace -: E0108 must be at least 0s
        server.grace +: E0108 at most 9223372036854775807ns
        server.quic-idle -: E0108 must be at least 1ms
        server.quic-idle +: E0108 at most 9223372036854775807ns
        server.send-buffer -: E0108 must be from 2KiB to 1GiB
        server.send-buffer +: E0108 must be from 2KiB to 1GiB
        server.auth -: E0108 must be from 0s to 1h
        server.auth +: E0108 must be from 0s to 1h
        server.handshake-cost.full -: E0108 must be at least 0s
        server.handshake-cost.full +: read
        server.handshake-cost.resumed -: E0108 must be at least 0s
        server.handshake-cost.resumed +: read
        server.resume-window -: E0108 must be at least 1ms
        server.resume-window +: E0108 at most 9223372036854775807ns
        server.acks.every -: E0108 must be from 1 to 1000000
        server.acks.every +: E0108 must be from 1 to 1000000
        server.acks.within -: E0108 must be from 0s to 1h
        server.acks.within +: E0108 at most 1h
        server.history.messages -: E0108 must be from 0 to 4294967295
        server.history.messages +: E0108 must be from 0 to 4294967295
        server.history.time -: E0108 must be at least 0s
        server.history.time +: E0108 at most 9223372036854775807ns
        server.history.snapshot -: E0108 must be from 0KiB to 2MiB
        server.history.snapshot +: E0108 must be from 0KiB to 2MiB
        server.history.replay -: E0108 must be from 0 to 1000000
        server.history.replay +: E0108 must be from 0 to 1000000
        server.slow-consumers.conflate.above -: E0108 must be from 0KiB to 1024GiB
        server.slow-consumers.conflate.above +: E0108 must be from 0KiB to 1024GiB
        server.slow-consumers.conflate.keys -: E0108 must be from 1 to 1000000
        server.slow-consumers.conflate.keys +: E0108 must be from 1 to 1000000
        server.slow-consumers.cut.above -: E0108 must be from 0KiB to 1024GiB
        server.slow-consumers.cut.above +: E0108 must be from 0KiB to 1024GiB
        server.slow-consumers.cut.after -: E0108 must be from 0s to 24h
        server.slow-consumers.cut.after +: E0108 at most 24h
        server.errors.transient -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.transient +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.after-headers -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.after-headers +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.permanent -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.permanent +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.refused-streams -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.refused-streams +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.pushback -: E0110 expected stop or none
        server.errors.pushback +: E0108 at most 9223372036854775807ns
        server.errors.sessions.transient -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.sessions.transient +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.sessions.permanent -: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.sessions.permanent +: E0108 must be from 0 to 1, or 0% to 100%
        server.errors.sessions.retry-after -: E0108 must be at least 0s
        server.errors.sessions.retry-after +: E0108 at most 9223372036854775807ns
        server.rate-limit.every -: E0108 must be from 1us to 24h
        server.rate-limit.every +: E0108 at most 24h
        server.rate-limit.burst -: E0108 must be from 1 to 1000000
        server.rate-limit.burst +: E0108 must be from 1 to 1000000
        server.rate-limit.pushback -: E0110 expected stop or none
        server.rate-limit.pushback +: E0108 at most 9223372036854775807ns
        server.capacity.requests-per-second -: E0108 must be from 1 to 1000000000
        server.capacity.requests-per-second +: E0108 must be from 1 to 1000000000
        server.capacity.queue -: E0108 must be from 0 to 1000000000
        server.capacity.queue +: E0108 must be from 0 to 1000000000
        server.capacity.pushback -: E0110 expected stop or none
        server.capacity.pushback +: E0108 at most 9223372036854775807ns
        """#,
        #"""
        server.instances -: E0108 must be from 1 to 250
        server.instances +: E0108 must be from 1 to 250
        server.backlog -: E0108 must be from 0 to 1000000000
        server.backlog +: E0108 must be from 0 to 1000000000
        server.connection-limit -: E0108 must be from 1 to 1000000000
        server.connection-limit +: E0108 must be from 1 to 1000000000
        server.shed.retry-after -: E0108 must be from 1ms to 24h
        server.shed.retry-after +: E0108 at most 24h
        server.health-checks.every -: E0108 must be from 1ms to 24h
        server.health-checks.every +: E0108 at most 24h
        server.health-checks.failures -: E0108 must be from 1 to 1000
        server.health-checks.failures +: E0108 must be from 1 to 1000
        server.autoscaling.target -: E0108 must be from 0 to 1, or 0% to 100%
        server.autoscaling.target +: E0108 must be from 0 to 1, or 0% to 100%
        server.autoscaling.every -: E0108 must be from 1s to 1h
        server.autoscaling.every +: E0108 at most 1h
        server.autoscaling.start-up -: E0108 must be from 0s to 24h
        server.autoscaling.start-up +: E0108 at most 24h
        server.autoscaling.max -: E0108 must be from 1 to 250
        server.autoscaling.max +: E0108 must be from 1 to 250
        server.database.queries-per-second -: E0108 must be from 1 to 1000000000
        server.database.queries-per-second +: E0108 must be from 1 to 1000000000
        server.database.per-call -: E0108 must be from 0 to 1000
        server.database.per-call +: E0108 must be from 0 to 1000
        server.database.per-session -: E0108 must be from 0 to 1000
        server.database.per-session +: E0108 must be from 0 to 1000
        timeline.[].instance.down -: E0108 must be from 1 to 250
        timeline.[].instance.down +: E0108 must be from 1 to 250
        timeline.[].for -: E0108 must be from 1ms to 8784h
        timeline.[].for +: E0108 at most 8784h
        timeline.[].instance.frozen -: E0108 must be from 1 to 250
        timeline.[].instance.frozen +: E0108 must be from 1 to 250
        """#,
        #"""
        server.health-checks.timeout -: E0108 must be from 0s to 1h
        server.health-checks.timeout +: E0108 at most 1h
        server.health-checks.panic -: E0108 must be from 0 to 1, or 0% to 100%
        server.health-checks.panic +: E0108 must be from 0 to 1, or 0% to 100%
        server.autoscaling.down-after -: E0108 must be from 0s to 24h
        server.autoscaling.down-after +: E0108 at most 24h
        server.autoscaling.grace -: E0108 must be from 1ms to 24h
        server.autoscaling.grace +: E0108 at most 24h
        server.capacity.queue-timeout -: E0108 must be from 1ms to 24h
        server.capacity.queue-timeout +: E0108 at most 24h
        """#,
    ]
}
