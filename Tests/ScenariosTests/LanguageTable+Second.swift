extension LanguageTable {
    static let second = [
        #"""
        server: ; the server
        server.accepts-per-second: a number; new connections per second that an instance accepts, from all phones together
        server.think: like 45s, default 0s; time from a call's arrival to its answer
        server.idle-limit: like 45s; silence of the client that ends a connection
        server.push: none|normal|high or a map; push request when the server has a message and the phone is not connected; a map: several can wait
        server.push.priority: none|normal|high, default normal; high wakes a phone in Doze at once; normal waits for its windows
        server.push.collapse-keys: none or a number, default 1; different collapse keys, one for each message: a newer message replaces a waiting one with its key; none: each waits by itself
        server.push.ttl: like 45s, default 672h; time for which the push service stores a message; 0s: it is delivered at once or never
        server.push.pending-limit: a number, default 100; pushes without a collapse key that wait; one more discards all that wait, and the app is notified
        server.push.key-limit: a number, default 4; different collapse keys that wait; one more discards the oldest push with a key
        server.ping-floor: like 45s; minimum time between two HTTP/2 pings; earlier ones are strikes; default: no minimum without `ping-policy`
        server.ping-policy: a8|c-core|go|java|grpc-swift-1; rule for early pings: gRFC A8 as written, gRPC's core, Go, Java or grpc-swift 1; `ping-floor` is then 5m by default
        server.pings-without-calls: true or false, default false; the minimum also holds on a connection without streams; otherwise it is 2h there
        server.ping-strikes: a number, default 2; early pings that are tolerated; the next one ends the connection; 0 means never
        server.max-connection-idle: like 45s; HTTP/2: time without an open stream after which a connection is closed with GOAWAY (gRFC A9)
        server.max-connection-age: like 45s; age at which a connection is closed with GOAWAY, 10% more or less (gRFC A9)
        server.max-connection-age-grace: like 45s; time limit of streams that are open then; default: none
        server.session-limit: like 45s; length after which the program ends a session with success: gRPC's status OK, close code 1000
        server.keepalive: ; HTTP/2: the server pings silent clients (gRFC A9)
        server.keepalive.time: like 45s, default 2h; silence before a ping
        server.keepalive.timeout: like 45s, default 20s; time limit of an answer; an unanswered ping ends the connection
        server.heartbeat: socket.io|actioncable|ably|centrifugo|discord or a map; heartbeats on the server's own clock; on HTTP/2 only `kind: beats`, as messages of the stream
        server.heartbeat.kind: asks|beats|expects, default asks; sends pings and requires an answer; sends beats without answer; or expects the client's own beats
        server.heartbeat.every: like 45s, default 25s; time between two
        server.heartbeat.timeout: like 45s, default 20s; time limit of an answer, or of a beat; a later one ends the connection
        server.heartbeat.counts-from: answer|silence, default answer; start of the timeout: the last answer, or the last byte, which then counts as an answer
        server.heartbeat.announced: true or false, default false; the client learns the interval when its session begins
        server.heartbeat.size: like 64KiB, default 1B; size of a beat without answer; with an `encoding` at least one event
        server.hold: like 45s, default 30s; time limit of a long poll; an empty answer is sent then
        server.grace: like 45s, default 30s; time for a connection to end after GOAWAY or an equivalent message
        server.quic-idle: like 45s, default 30s; silence that ends a QUIC connection
        server.migration: true or false, default true; QUIC connections may migrate to another address
        server.history: ; the server's message history
        server.history.messages: a number; most messages that are kept, the newest ones
        server.history.time: like 45s; longest time that a message is kept
        server.history.purge: never|acknowledged|confirmed|sent, default never; also removes messages that the app has acknowledged, its kernel has confirmed, or a connection has accepted
        server.history.when-gone: snapshot|silence, default silence; if a client requests removed messages: a full snapshot, or silently only what is left
        server.history.snapshot: like 64KiB, default 20KiB; size of a snapshot
        server.history.replay: a number, default 0; newest messages sent to a client that does not resume
        server.resume-window: like 45s; a client that was away for longer starts a new session
        server.epochs: true or false, default true; answers contain the epoch of the server's message numbers, which changes when the count restarts
        server.restart: keeps|loses, default keeps; history and sessions after `down`; loses: the server counts from one again
        server.takeover: replaces|refuses, default replaces; second connection of a session: replaces the first, or is refused while the first exists
        server.dedup: none|bitmap|set|bloom or a map; detection of duplicates among the app's messages; for CoAP see also `exchange-lifetime`
        server.dedup.window: a number or like 45s or a map; numbers or keys, a time, or both (the larger window counts); a Bloom filter is emptied after this number of keys
        server.dedup.window.messages: a number; last messages
        server.dedup.window.time: like 45s; messages that arrived within this time
        server.dedup.kind: none|bitmap|set|bloom, default bitmap; bitmap: increasing numbers; set: the last keys; bloom: a filter, which makes errors
        server.dedup.bytes: like 64KiB, default 512B; size of a Bloom filter
        server.dedup.hashes: a number, default 3; hashes of a Bloom filter for each key
        server.exchange-lifetime: like 45s, default 247s; time in which a repeated message of CoAP is recognised by its message id; 0s: never
        server.acks: transport or a map; confirmation of the app's messages: by the kernel (transport), or by the program in messages of its own
        server.acks.every: a number, default 1; messages per acknowledgement
        server.acks.within: like 45s, default 0s; longest time after the first unacknowledged message
        server.send-buffer: like 64KiB; SO_SNDBUF: bytes of a connection that the server's kernel accepts before the phone has them; Linux doubles it
        server.slow-consumers: buffer or a map; messages that a connection does not accept; `buffer` keeps them all
        server.slow-consumers.conflate: ; keeps only the newest message
        server.slow-consumers.conflate.keys: a number, default 1; number of topics, which the messages have in turn; the newest message of each topic is kept
        server.slow-consumers.conflate.above: like 64KiB, default 0KiB; bytes that must wait before it starts; it lasts until none wait
        server.slow-consumers.cut: ; ends the connection
        server.slow-consumers.cut.after: like 45s, default 0s; time for which more than `above` has waited
        server.slow-consumers.cut.above: like 64KiB, default 0KiB; bytes that may wait
        server.instances: a number; number of identical instances behind one balancer
        server.balance: round-robin|least-connections; instance for a new connection: the next in turn (round-robin), or the one with the fewest connections
        server.backlog: a number; capacity of an instance's accept queue; further connections get no answer
        server.connection-limit: a number; most connections of an instance
        server.shed: ; a client that finds the server full gets an answer
        server.shed.retry-after: like 45s, required; retry time in that answer
        server.health-checks: ; the balancer checks each instance
        server.health-checks.every: like 45s, default 10s; time between two checks
        server.health-checks.failures: a number, default 3; failed checks in a row that eject an instance
        server.health-checks.timeout: like 45s; a check that waits longer in the instance's queue fails: no new connections until one succeeds
        server.health-checks.panic: like 2%; share of ready instances below which all instances get connections
        server.autoscaling: ; more instances under more load
        server.autoscaling.target: like 2%, required; share of time that an instance is busy; above it instances are added
        server.autoscaling.every: like 45s, default 15s; time between two evaluations
        server.autoscaling.start-up: like 45s, default 2m; time from the decision to the first connection
        server.autoscaling.max: a number, required; most instances
        server.autoscaling.down-after: like 45s; time with lower demand after which surplus instances get no new connections
        server.autoscaling.grace: like 45s; time until the remaining connections of surplus instances are reset; default: they stay until they end
        server.database: ; database of all instances, one query at a time
        server.database.queries-per-second: a number, required; queries per second
        server.database.per-call: a number, default 1; queries for each call
        server.database.per-session: a number, default 0; queries for each session
        server.errors: ; errors of the server's program
        server.errors.transient: like 2%, default 0; share of calls answered with UNAVAILABLE
        server.errors.after-headers: like 2%, default 0; share of these that fail after the headers of an answer and may not be retried
        server.errors.permanent: like 2%, default 0; share of calls that fail at every attempt
        server.errors.refused-streams: like 2%, default 0; share of calls that the program never sees (REFUSED_STREAM)
        server.errors.pushback: stop|none or like 45s, default none; retry time that the server sends with a transient error: a duration, or stop
        server.errors.messages: ; messages of the app that the program refuses while the connection continues; needs `acks`
        server.errors.messages.transient: like 2%, default 0; share of attempts that are refused now (HTTP 5xx)
        server.errors.messages.permanent: like 2%, default 0; share of messages that are refused at every attempt (HTTP 4xx)
        server.errors.messages.locked: like 45s; time after its last byte for which an upload that broke off still locks its message (423, 409)
        server.errors.sessions: ; sessions that the server refuses
        server.errors.sessions.transient: like 2%, default 0; share of session requests that are refused now
        server.errors.sessions.permanent: like 2%, default 0; share of phones that never get a session
        server.errors.sessions.retry-after: like 45s; retry time that the server sends
        server.rate-limit: ; limit of the calls from each phone
        server.rate-limit.pushback: stop|none or like 45s, default none; retry time that the server sends beyond the limit: a duration, or stop
        server.rate-limit.every: like 45s, required; time in which one more call is allowed
        server.rate-limit.burst: a number, default 1; most calls at once
        server.capacity: ; limit of the calls from all phones together
        server.capacity.requests-per-second: a number, required; calls per second, processed one at a time
        server.capacity.queue: a number, default 1000; most calls that wait; further ones are refused
        server.capacity.queue-timeout: like 45s; longest wait; after it a call is refused, and costs no work
        server.capacity.pushback: stop|none or like 45s, default none; retry time that the server sends when the queue is full: a duration, or stop
        server.codes: ; code that the server states when it ends a connection, for `on-end` of the clients' `backoff`
        server.codes.turned-away: a number; a session that the server refuses temporarily, such as HTTP's 503
        server.codes.forbidden: a number; a session that the server refuses permanently, such as HTTP's 403
        server.codes.ended: a number; the server closed the connection
        server.codes.denied: a number; the server does not accept the credentials, such as close code 1008
        server.codes.completed: a number; the server ended the session with success, such as close code 1000
        server.credentials: ; access tokens that expire, and how a client gets another one
        server.credentials.life: like 45s, default 1h; time from the issue of an access token to its expiry
        server.credentials.leeway: like 45s, default 0s; time for which an expired token still works
        server.credentials.sessions: true or false, default true; checks the token at the start of a session
        server.credentials.calls: true or false, default true; checks the token of each call
        server.credentials.refresh: ; a request for another token
        server.credentials.refresh.takes: like 45s, default 50ms; time that the server works on it
        server.credentials.refresh.single-use: true or false, default false; each refresh replaces the refresh token, and uses the old one up
        server.credentials.refresh.grace: like 45s, default 0s; time for which a used refresh token still works
        server.credentials.refresh.replay: revokes|refused, default revokes; a used refresh token, presented again: revokes all tokens of the user, or is only refused
        server.credentials.refresh.round-trips: a number, default 3; round trips, with those of TCP and TLS
        server.credentials.refresh.up: like 64KiB, default 2000B; bytes to the server, in total
        server.credentials.refresh.down: like 64KiB, default 5000B; bytes to the phone, in total
        server.streams: ; streams that share a connection, which a client has to join, and which can end alone
        server.streams.ends-every: like 45s; mean time between two ends of one of the phone's streams, drawn at random; default: none ends
        server.streams.silent: like 2%, default 0; share of these ends of which the server tells the client nothing
        server.streams.refused: like 2%, default 0; share of requests to join that are refused
        server.streams.unanswered: like 2%, default 0; share of requests to join that the server does not answer
        server.presence: ; shows the phone's user to other users, as online or away
        server.presence.grace: like 45s, default 0s; time without a session after which the user is shown as away
        server.peer: ; a peer that clients of strategy ice reach directly, and over this relay
        server.peer.relay: like 45s, default 30ms; time that the way over the relay takes in addition, in each direction
        server.auth: like 45s; time of an authentication before a session counts, in addition to one round trip
        server.handshake-cost: ; processor time of a TLS handshake, in addition to accepts-per-second; without that rate it delays no other
        server.handshake-cost.full: like 45s, default 0s; processor time of a full handshake
        server.handshake-cost.resumed: like 45s, default 0s; processor time of a resumed handshake
        server.versions: ; versions of the server with rules of their own, for `server-version` in the timeline
        server.versions.history: ; the server's message history
        server.versions.history.messages: a number; most messages that are kept, the newest ones
        server.versions.history.time: like 45s; longest time that a message is kept
        server.versions.history.purge: never|acknowledged|confirmed|sent, default never; also removes messages that the app has acknowledged, its kernel has confirmed, or a connection has accepted
        server.versions.history.when-gone: snapshot|silence, default silence; if a client requests removed messages: a full snapshot, or silently only what is left
        server.versions.history.snapshot: like 64KiB, default 20KiB; size of a snapshot
        server.versions.history.replay: a number, default 0; newest messages sent to a client that does not resume
        server.versions.resume-window: like 45s; a client that was away for longer starts a new session
        server.versions.ping-floor: like 45s; minimum time between two HTTP/2 pings; earlier ones are strikes; default: no minimum without `ping-policy`
        server.versions.ping-policy: a8|c-core|go|java|grpc-swift-1; rule for early pings: gRFC A8 as written, gRPC's core, Go, Java or grpc-swift 1; `ping-floor` is then 5m by default
        server.versions.pings-without-calls: true or false, default false; the minimum also holds on a connection without streams; otherwise it is 2h there
        server.versions.ping-strikes: a number, default 2; early pings that are tolerated; the next one ends the connection; 0 means never
        server.versions.max-connection-idle: like 45s; HTTP/2: time without an open stream after which a connection is closed with GOAWAY (gRFC A9)
        server.versions.max-connection-age: like 45s; age at which a connection is closed with GOAWAY, 10% more or less (gRFC A9)
        server.versions.max-connection-age-grace: like 45s; time limit of streams that are open then; default: none
        server.versions.session-limit: like 45s; length after which the program ends a session with success: gRPC's status OK, close code 1000
        server.versions.keepalive: ; HTTP/2: the server pings silent clients (gRFC A9)
        server.versions.keepalive.time: like 45s, default 2h; silence before a ping
        server.versions.keepalive.timeout: like 45s, default 20s; time limit of an answer; an unanswered ping ends the connection
        server.versions.think: like 45s, default 0s; time from a call's arrival to its answer
        """#,
        #"""
        timeline: a list; changes to the phone, the network and the server, with their times
        timeline.at: like 45s or a distribution, required; time from the start, or with `starts` a time of day; {uniform: [a, b]} or another distribution: a random time for each phone
        timeline.phones: like 2% or a number; phones that the entry affects: 50%: each phone with this probability; 3: that number of phones, drawn in each replica
        timeline.together: true or false; random times and durations are drawn once for all phones of a replica
        timeline.gap: like 45s or a distribution, default 0s; time without a network
        timeline.overlap: like 45s or a distribution, default 0s; time for which the old network stays up beside the new one
        timeline.name: text; name of the network that is joined
        timeline.old-path: error|silent|half-open|reset|end, default error; end of connections on the lost path: with an error, a reset, a normal close, or silently (writes are accepted, but never answered); half-open: silently, but the system reports the loss to the app
        timeline.usable-after: like 45s; time in which no packet passes
        timeline.announced-after: like 45s; delay until the system reports the network to the app
        timeline.portal: like 45s; time in which only a captive portal answers
        timeline.metered: true or false; data saver takes the network as metered; default: a carrier's network is, others are not
        timeline.reach: all|internet|server|nothing; hosts that the network leads to, default: all; internet: not the app's server; server: only the app's server, so the system finds no internet; nothing: neither
        timeline.interface: wifi|cellular|bluetooth|sim2|ethernet; network that is affected; default: the phone's network
        timeline.for: like 45s or a distribution; duration; default: until another entry ends it
        timeline.old-address: silent|reset, default silent; server: moves: packets to the address that the server leaves vanish, or are answered with a reset
        timeline.dns-after: like 45s, default 0s; server: moves: time until resolvers answer with the new address
        timeline.wifi: text; name of the network that is joined, or off
        timeline.cellular: text; on, off, or the name of the network
        timeline.bluetooth: text; name of the network that is joined, or off
        timeline.sim2: text; on, off, or the name of the network
        timeline.ethernet: text; name of the network that is joined, or off
        timeline.handoff: wifi|cellular|bluetooth|sim2|ethernet; moves the phone to this interface
        timeline.airplane: like 45s or a distribution; loss of all networks; they come back after this duration
        timeline.readdress: wifi|cellular|bluetooth|sim2|ethernet; new address on the same network, as after a new registration
        timeline.dead-zone: like 45s or a distribution; duration without signal; the interface stays connected
        timeline.wan-cut: like 45s or a distribution; duration without internet; the network stays connected
        timeline.one-way: up|down|off; only this direction passes packets; off: both directions again
        timeline.roam: like 45s; change to another access point of the same Wi-Fi network; duration without packets
        timeline.cell-handover: true or false; the cellular radio changes cell
        timeline.technology: cellular|lte|nr|umts; cellular profile under phone: radios: that the radio uses from now on
        timeline.spurious: capabilities|available|flap; a network event of the system that means no real change
        timeline.conditions: ; another link from now on, or for the duration in `for`
        timeline.conditions.wifi: text; link name: one of `deadzone list links`, one under links: others:, or usual
        timeline.conditions.cellular: text; link name: one of `deadzone list links`, one under links: others:, or usual
        timeline.conditions.bluetooth: text; link name: one of `deadzone list links`, one under links: others:, or usual
        timeline.conditions.sim2: text; link name: one of `deadzone list links`, one under links: others:, or usual
        timeline.conditions.ethernet: text; link name: one of `deadzone list links`, one under links: others:, or usual
        timeline.access: open|refused|on-demand|by-hand; iOS: refused: the user denies the app this network; on-demand, by-hand: the network needs a connection first, which the first packet starts, or the user; open: normal access
        timeline.takes: like 45s, default 1s; access: on-demand: set-up time of the connection
        timeline.nat: forget; middleboxes forget all mappings
        timeline.signal: weak|usual; weak: a weak cellular signal, as measured in the profile; usual: a normal signal again
        timeline.server: frozen|down|up|drain|refuses-logins|moves; frozen: accepts connections, answers nothing; down: refuses and resets connections; drain: closes them normally; refuses-logins: accepts connections, refuses sessions; moves: continues at another address; up: normal operation; `for` limits the time: {server: down, for: 20s}
        timeline.peer: moves|blocked|open; the direct path to the peer; moves: the peer has another address, and paths opened before are dead; blocked: nothing passes directly; open: it passes again
        timeline.instance: ; one instance of the server
        timeline.instance.down: a number; number of the instance that goes down; existing and new connections to it are reset
        timeline.instance.frozen: a number; number of the instance that freezes for good; existing and new connections to it get no answer
        timeline.deploy: ; the server's instances are replaced and end their connections
        timeline.deploy.over: like 45s, default 0s; time from the first to the last replacement; default: all at once
        timeline.deploy.instances: a number, default 10; number of instances
        timeline.deploy.manner: drain|reset, default drain; end of the connections: normal close, or reset
        timeline.server-version: text; name under server: versions: with the rules from now on, or usual
        timeline.streams: ended|lost or a map; the server ends the app's streams while the connection lives; ended: it tells the client; lost: it does not
        timeline.streams.ended: a number; number of streams that end, from the first one on
        timeline.streams.lost: a number; number of streams that end in silence, from the first one on
        timeline.dns: down|up; down: names do not resolve; up: they resolve again
        timeline.app: foreground|background; moves the app to the foreground or background
        timeline.screen: on|off; turns the screen on or off
        timeline.charging: on|off; connects or disconnects the charger
        timeline.motion: moving|still; whether the phone is moving
        timeline.battery-saver: on|off; battery saver; the system reports it to the app; Android closes the network in the background, defers alarms and jobs, and enters deep Doze soon, even in motion
        timeline.data-saver: on|off; data saver: over metered networks, the app has no network in the background (Android)
        timeline.app-restriction: on|off; the user restricts the app: no alarms, jobs and foreground service in the background (Android)
        timeline.alarm-clock: like 45s; time of the user's alarm clock, from the start or as a time of day; Doze ends before it
        timeline.clock: like 45s; sets the time of day forward by this: +1h, -30m
        timeline.push: high|normal; the server requests a push that wakes the app
        timeline.push-token: void; the app's push token becomes void: pushes reach no app until it has sent the new one
        timeline.kill: app|force-stop; app: the system ends the app's process; force-stop: the user ends it, and only the user starts it again
        timeline.chaos: ; random disturbances, the same for every strategy and in every replica
        timeline.chaos.disconnect: like 45s or a distribution; time between two disconnects
        timeline.chaos.handoff: like 45s or a distribution; time between two changes to the other radio
        timeline.chaos.kill: like 45s or a distribution; time between two ends of the app's process; the user opens the app again
        timeline.chaos.for: like 45s, default 10m; duration of the disturbances
        timeline.chaos.seed: a number, default 1; seed of the disturbances
        timeline.chaos.dead-zone: ; repeated loss of signal on all radios
        timeline.chaos.dead-zone.every: like 45s or a distribution, required; time from the end of one to the next
        timeline.chaos.dead-zone.for: like 45s or a distribution, required; duration of each
        timeline.chaos.ends: error|silent|half-open|reset|end; the way in which disconnects and handoffs end connections; default: random each time
        timeline.freeze-ui: like 45s; duration of a pause of the app's consumer
        timeline.repeat: ; repeats the entry
        timeline.repeat.every: like 45s, required; time between two repetitions
        timeline.repeat.times: a number, required; total number of occurrences
        """#,
    ]
}
