/// Every key of the language with its form, default and help.
enum LanguageTable {
    static let all = first + second

    private static let first = [
        #"""
        version: a number, required; version of the format; always 1
        name: text, required; name of the scenario in tables, reports and gates
        about: text, default ""; description in one or two sentences
        extends: text or a map; file that this file changes; maps are merged, everything else is replaced
        extends.file: text, required; path of the file, relative to this file
        extends.without: a list; sections of that file that are left out, such as `expect`
        matrix: ; axes of values, named by the setting that they change or used as ${name}; every combination is a scenario
        sample: ; number of points that are drawn from the ranges of `matrix:`, as a Latin hypercube
        sample.cells: a number; number of points from the ranges
        sample.runs: a number; instead of `cells`: total number of runs; each replica of a strategy is one run
        sample.seed: a number, default 1; seed of the drawn points
        duration: like 45s, required; simulated time, from the start of the scenario to its end
        starts: like 07:00; time of day at the start; times of the timeline and of traffic can then be times of day, such as 15:00
        replicas: a number, default 1; number of runs with different random numbers
        seed: a number; seed of the random numbers; the flag `--seed` overrides it
        phones: a number, default 1; phones simulated together in each replica
        population: ; groups of phones with names of your own, and the settings that differ for each group
        population.share: like 2%; share of all phones; the shares sum to 100%
        population.phones: a number; number of phones, in every group instead of `share`
        population.strategy: calm|hasty or text or a map; strategy of these phones, whatever is compared: a name, or a map as under `strategies`
        population.phone: ; the phone, the same for every strategy
        population.links: ; links between phone and server
        population.middleboxes: ; middleboxes on the path, which forget connections after a long silence
        population.resolver: ; name resolution of the server; without it the phone knows the address
        population.timeline: a list; changes to the phone, the network and the server, with their times
        population.traffic: ; messages and calls between the app and the server
        population.app: ; the app's consumer of the server's messages; without it messages are shown at once
        phone: ; the phone, the same for every strategy
        phone.battery: like 15.4Wh or nexus5|oneplus8 or a map; energy of a full battery: 15.4Wh, nexus5, oneplus8, or charge and voltage
        phone.battery.charge: like 4300mAh, required; charge of a full battery
        phone.battery.voltage: like 3.85V, required; nominal voltage
        phone.tail-attribution: latest|equal-shares, default latest; which packets are charged for a tail: the last one before it, or all since the promotion in equal shares
        phone.radios: ; the phone's radios and their profiles
        phone.radios.wifi: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.wifi.profile: text, required; profile that supplies the values of all other settings
        phone.radios.cellular: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.cellular.profile: text, required; profile that supplies the values of all other settings
        phone.radios.lte: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.lte.profile: text, required; profile that supplies the values of all other settings
        phone.radios.nr: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.nr.profile: text, required; profile that supplies the values of all other settings
        phone.radios.umts: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.umts.profile: text, required; profile that supplies the values of all other settings
        phone.radios.bluetooth: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.bluetooth.profile: text, required; profile that supplies the values of all other settings
        phone.radios.sim2: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.sim2.profile: text, required; profile that supplies the values of all other settings
        phone.radios.ethernet: text or a map; profile: a name, a file of your own, or {profile: NAME} with values of your own
        phone.radios.ethernet.profile: text, required; profile that supplies the values of all other settings
        phone.prefers: a list; networks in the order in which the system selects them; default: ethernet, wifi, bluetooth, cellular, sim2. A system that prefers bluetooth to wifi is a watch: it uses no other radio while Bluetooth works
        phone.apps: ; other apps on the phone, which share its radio and its alarms
        phone.apps.preset: push-service; preset that supplies the values of all other settings
        phone.apps.every: like 45s or a distribution, default 15m; time between two exchanges
        phone.apps.every-on-cellular: like 45s or a distribution; time between two exchanges on cellular, if it differs
        phone.apps.up: like 64KiB, default 1000B; bytes sent, with all headers
        phone.apps.down: like 64KiB, default 5000B; bytes of the answer, with all headers
        phone.apps.wake: none|alarm|while-idle|job, default job; wake-up: a plain timer, an alarm, an alarm that fires in Doze, or a job
        phone.apps.exempt: true or false, default false; Doze neither delays it nor blocks its network
        phone.platform: android-6|android-7|android-8|android-9|android-11|android-12|android-13|android-14|android-15|android-16|android-oem-killer|ios-12|ios-15|ios-18|article-android|article-ios|android-14-oneui|android-15-hyperos or a map; operating system: the name of a platform, or {profile: NAME} with values of your own
        phone.platform.profile: android-6|android-7|android-8|android-9|android-11|android-12|android-13|android-14|android-15|android-16|android-oem-killer|ios-12|ios-15|ios-18|article-android|article-ios|android-14-oneui|android-15-hyperos, required; platform that supplies the values of all other settings
        phone.platform.standby: active|working|frequent|rare|restricted; standby bucket of the app, whatever its last use
        phone.platform.doze.light.inactive: never or like 45s; time from screen off to light pre-idle
        phone.platform.doze.light.inactive-window: never or like 45s; time that the alarm after doze.light.inactive waits for another alarm
        phone.platform.doze.light.pre-idle: never or like 45s; longest time in light pre-idle, in which running work may finish
        phone.platform.doze.light.idle: never or like 45s; first light idle time
        phone.platform.doze.light.idle-limit: never or like 45s; longest light idle time
        phone.platform.doze.light.idle-window: never or like 45s; time that the alarm after the first light idle time waits for another alarm
        phone.platform.doze.light.idle-window-limit: never or like 45s; longest such time
        phone.platform.doze.light.idle-waits: true or false; the alarm after a light idle time does not wake the phone, and waits for another alarm
        phone.platform.doze.light.budget: never or like 45s; budget of a light window; the next window may use what is left
        phone.platform.doze.light.budget-limit: never or like 45s; longest light window
        phone.platform.doze.light.minimum: never or like 45s; shortest light window
        phone.platform.doze.deep.inactive: never or like 45s; time from screen off to the search for motion
        phone.platform.doze.deep.idle-after-inactive: never or like 45s; further time without motion
        phone.platform.doze.deep.sensing: never or like 45s; time to confirm that the phone is still
        phone.platform.doze.deep.locating: never or like 45s; time to find the location
        phone.platform.doze.deep.idle: never or like 45s; first deep idle time
        phone.platform.doze.deep.idle-limit: never or like 45s; longest deep idle time
        phone.platform.doze.deep.maintenance: never or like 45s; first deep window
        phone.platform.doze.deep.maintenance-limit: never or like 45s; longest deep window
        phone.platform.doze.deep.maintenance-minimum: never or like 45s; shortest deep window
        phone.platform.doze.deep.early: true or false; each deep idle time is shortened by a random time, up to 15 min, from 90 min on up to 30 min
        phone.platform.doze.deep.motion: never or like 45s; time from motion until the phone counts as inactive
        phone.platform.doze.deep.alarm-clock: never or like 45s; Doze is not entered if an alarm clock rings within this time
        phone.platform.doze.deep.quick-delay: never or like 45s; delay of deep Doze while battery saver is on
        phone.platform.doze.growth: unlimited or a number; growth factor of idle times and deep windows
        phone.platform.doze.work: never or like 45s; duration of the pending work of all apps; a window ends when it is done
        phone.platform.standby.lowest: active|working|frequent|rare|restricted; lowest bucket that an app can reach
        phone.platform.standby.active.jobs.count: unlimited or a number; jobs per period
        phone.platform.standby.active.jobs.period: never or like 45s; period of the job quota
        phone.platform.standby.active.jobs.time: never or like 45s; total run time of jobs per period
        phone.platform.standby.working.alarms.count: unlimited or a number; alarms per period
        phone.platform.standby.working.alarms.period: never or like 45s; period of the alarm quota
        phone.platform.standby.working.jobs.count: unlimited or a number; jobs per period
        phone.platform.standby.working.jobs.period: never or like 45s; period of the job quota
        phone.platform.standby.working.jobs.time: never or like 45s; total run time of jobs per period
        phone.platform.standby.frequent.alarms.count: unlimited or a number; alarms per period
        phone.platform.standby.frequent.alarms.period: never or like 45s; period of the alarm quota
        phone.platform.standby.frequent.jobs.count: unlimited or a number; jobs per period
        phone.platform.standby.frequent.jobs.period: never or like 45s; period of the job quota
        phone.platform.standby.frequent.jobs.time: never or like 45s; total run time of jobs per period
        phone.platform.standby.frequent.urgent-pushes: unlimited or a number; urgent pushes per day; further ones are treated as normal
        phone.platform.standby.rare.alarms.count: unlimited or a number; alarms per period
        phone.platform.standby.rare.alarms.period: never or like 45s; period of the alarm quota
        phone.platform.standby.rare.jobs.count: unlimited or a number; jobs per period
        phone.platform.standby.rare.jobs.period: never or like 45s; period of the job quota
        phone.platform.standby.rare.jobs.time: never or like 45s; total run time of jobs per period
        phone.platform.standby.rare.urgent-pushes: unlimited or a number; urgent pushes per day; further ones are treated as normal
        phone.platform.standby.rare.network: true or false; the network is available in the background
        phone.platform.standby.restricted.alarms.count: unlimited or a number; alarms per period
        phone.platform.standby.restricted.alarms.period: never or like 45s; period of the alarm quota
        phone.platform.standby.restricted.jobs.count: unlimited or a number; jobs per period
        phone.platform.standby.restricted.jobs.period: never or like 45s; period of the job quota
        phone.platform.standby.restricted.jobs.time: never or like 45s; total run time of jobs per period
        phone.platform.standby.restricted.urgent-pushes: unlimited or a number; urgent pushes per day; further ones are treated as normal
        phone.platform.standby.restricted.network: true or false; the network is available in the background
        phone.platform.alarms.while-idle.count: unlimited or a number; alarms in deep idle per period
        phone.platform.alarms.while-idle.period: never or like 45s; period of `alarms.while-idle.count`
        phone.platform.alarms.while-idle.network: never or like 45s; each of these alarms opens the network for this duration
        phone.platform.alarms.exemption-frees: true or false; an exemption from battery optimisation exempts alarms from Doze
        phone.platform.jobs.exemption-frees: true or false; an exemption from battery optimisation exempts jobs from Doze
        phone.platform.life.suspends-after: never or like 45s; time in the background until the app is frozen
        phone.platform.life.services-run: true or false; a foreground service or an exemption prevents the freeze
        phone.platform.life.blocks-network-after: never or like 45s; time in the background until the app's network is closed
        phone.platform.life.reclaims-sockets-after: never or like 45s; time until the kernel closes the sockets of a frozen app
        phone.platform.life.kills-after: never or like 45s; time in the background until the app's process is ended
        phone.platform.life.kills-for-good: true or false; only the user can start an app again that was ended in the background
        phone.platform.push.network: never or like 45s; an urgent push opens the network for this duration
        phone.platform.push.time: never or like 45s; time that the app may run for a push
        phone.platform.processor.sleeps: true or false; the processor sleeps while nothing keeps it awake
        phone.platform.processor.alarm: never or like 45s; time awake for the handler of an alarm
        phone.platform.processor.packet: never or like 45s; time awake after a packet
        phone.platform.processor.push: never or like 45s; time awake for a push
        phone.platform.processor.job: never or like 45s; time awake for a job
        phone.platform.processor.window: never or like 45s; time awake when a window opens
        phone.platform.processor.power: like 350mW; power awake with the screen off, above the power asleep
        phone.platform.processor.wake-up: like 15.4Wh; energy of one wake-up and return to sleep
        phone.platform.saver.closes-network: true or false; battery saver closes the network for apps in the background
        phone.platform.saver.defers-work: true or false; battery saver defers alarms and jobs of apps in the background
        phone.platform.data-saver.exists: true or false; data saver closes metered networks for apps in the background
        phone.platform.app-restriction.exists: true or false; the user can restrict an app in the background: no alarms, no jobs, no foreground service
        phone.platform.services.data-sync: never or like 45s; time in the background after which a foreground service of the type dataSync ends
        phone.platform.services.short: never or like 45s; time in the background after which a foreground service of the type shortService ends
        phone.platform.services.grace: never or like 45s; time until the process of an app that does not stop such a service is ended
        phone.platform.networks.linger: never or like 45s; time that the old network stays up after a better one is available
        phone.platform.networks.validation: never or like 45s; time from a network's start to its validation
        phone.platform.networks.destroys-sockets: true or false; sockets get an error if their address is gone or the firewall blocks them
        phone.platform.networks.leaves-sockets-frozen: true or false; sockets get no report of a better network, or of losses in the background
        phone.platform.networks.lost-awake: never or like 45s; longest time awake after the default network is lost, until another one is there
        phone.platform.networks.new-awake: never or like 45s; time awake after a network has become the default
        phone.platform.life.task-time: never or like 45s; time in the background until the app is suspended, with a task assertion
        phone.platform.life.task-warning: never or like 45s; notice to the app before its time ends
        phone.platform.life.time-holds-processor: true or false; background time keeps the processor awake
        phone.platform.life.refresh-every: never or like 45s; time between two background grants to an app that requests them
        phone.platform.life.refresh-time: never or like 45s; duration of a background grant
        phone.platform.push.quota.count: unlimited or a number; background pushes per period; further ones wait, including those of high priority
        phone.platform.push.quota.period: never or like 45s; period of the push quota
        phone.tunnel: ; a VPN tunnel that apps ride in; its defaults are WireGuard's
        phone.tunnel.keepalive: like 45s; time without a packet after which the phone sends an empty one; default: never
        phone.tunnel.rekey: like 45s, default 2m; age of a session from which the next packet starts another handshake
        phone.tunnel.retry: like 45s, default 5s; time after which a handshake without an answer is repeated
        phone.tunnel.give-up: like 45s, default 90s; time after which a handshake is given up, with the packets that wait for it
        phone.tunnel.dead-after: like 45s, default 3m; age at which both ends refuse a session
        phone.tunnel.clock: elapsed|uptime, default elapsed; clock of the phone's end; uptime stands still while the processor sleeps, elapsed wakes it
        phone.tunnel.on-path-change: rebind|keep|renew, default rebind; the tunnel after a handoff: its socket moves at once, stays on the old network until the session is dead, or the session ends and another begins
        phone.tunnel.routes: all|app|other-apps, default all; apps with packets that ride in the tunnel
        phone.tunnel.mtu: a number, default 1420; bytes of the largest packet that fits into the tunnel
        phone.tunnel.overhead: like 64KiB, default 60B; bytes that the tunnel adds to each packet
        phone.tunnel.queue: a number, default 128; packets that wait for a session; a further one drops the oldest
        phone.kernel: linux-4.4|linux-4.4-hz100|linux-4.4-hz300|linux-6.1|linux-6.1-hz100|linux-6.1-hz300|linux-6.6|linux-6.6-hz100|linux-6.6-hz300|xnu; TCP implementation of the phone; default: that of its platform, or linux-6.6
        middleboxes: ; middleboxes on the path, which forget connections after a long silence
        middleboxes.wifi: a list; behind the Wi-Fi access point, in order from the phone
        middleboxes.wifi.preset: carrier-nat-30|carrier-nat-60|carrier-nat-120|carrier-nat-300|carrier-nat-1800|carrier-firewall-255|carrier-one-way|twilio-sim|rfc-nat|office-firewall|udp-blocked|aws-network-firewall|gcp-firewall|linux-conntrack|aws-nlb|aws-alb|aws-elb|gcp-lb|azure-lb|azure-lb-reset|lvs|cdn-websocket|stream-proxy|websocket-gateway; preset that supplies the values of all other settings
        middleboxes.wifi.idle: like 45s; silence after which it forgets a connection, both TCP and UDP
        middleboxes.wifi.tcp: like 45s; the same for TCP only; default: never
        middleboxes.wifi.udp: blocked or like 45s; the same for UDP only, including QUIC; blocked: no UDP packet passes; default: never
        middleboxes.wifi.manner: drop|reset|one-way|close; treatment of packets without a mapping
        middleboxes.wifi.adopts-midstream: true or false; a packet from the middle of a TCP connection creates a new mapping
        middleboxes.cellular: a list; behind the base station, in order from the phone
        middleboxes.bluetooth: a list; behind the Bluetooth network, in order from the phone
        middleboxes.sim2: a list; behind the second SIM network, in order from the phone
        middleboxes.ethernet: a list; behind the Ethernet network, in order from the phone
        middleboxes.server: a list; in front of the server: firewalls and load balancers
        resolver: ; name resolution of the server; without it the phone knows the address
        resolver.ttl: like 45s, default 1m; time that an answer is cached
        resolver.negative-ttl: like 45s, default 0s; time that a refusal is cached
        resolver.timeout: like 45s, default 5s; time until a query is repeated
        resolver.attempts: a number, default 2; queries before the phone gives up
        resolver.work: like 45s, default 0s; time of the resolver, in addition to the round trip of the link
        resolver.ipv4: works|broken|unanswered|absent, default works; the server's IPv4 address
        resolver.ipv6: works|broken|unanswered|absent, default absent; the server's IPv6 address, tried first
        resolver.failing: silent|refusing, default silent; resolver while names do not resolve: no answer, or a refusal at once
        resolver.wifi: ; differences on the networks of this interface
        resolver.wifi.ttl: like 45s; time that an answer is cached
        resolver.wifi.negative-ttl: like 45s; time that a refusal is cached
        resolver.wifi.work: like 45s; time of the resolver
        resolver.wifi.failing: silent|refusing; resolver while names do not resolve
        resolver.wifi.ipv4: works|broken|unanswered|absent; the server's IPv4 address
        resolver.wifi.ipv6: works|broken|unanswered|absent; the server's IPv6 address
        resolver.wifi.nat64: works|broken; the network has no IPv4, and DNS64 makes IPv6 addresses; broken: packets to them vanish
        resolver.wifi.address: public|private; private: the answer is an address that only networks with such an answer reach
        resolver.wifi.outside: silent|reset, default silent; packets to the private address on other networks vanish, or meet another host
        resolver.wifi.hairpin: works|absent; absent: packets of this network to the public address vanish, for lack of NAT loopback
        resolver.cellular: ; differences on the networks of this interface
        resolver.cellular.ttl: like 45s; time that an answer is cached
        resolver.cellular.negative-ttl: like 45s; time that a refusal is cached
        resolver.cellular.work: like 45s; time of the resolver
        resolver.cellular.failing: silent|refusing; resolver while names do not resolve
        resolver.cellular.ipv4: works|broken|unanswered|absent; the server's IPv4 address
        resolver.cellular.ipv6: works|broken|unanswered|absent; the server's IPv6 address
        resolver.cellular.nat64: works|broken; the network has no IPv4, and DNS64 makes IPv6 addresses; broken: packets to them vanish
        resolver.cellular.address: public|private; private: the answer is an address that only networks with such an answer reach
        resolver.cellular.outside: silent|reset, default silent; packets to the private address on other networks vanish, or meet another host
        resolver.cellular.hairpin: works|absent; absent: packets of this network to the public address vanish, for lack of NAT loopback
        traffic: ; messages and calls between the app and the server
        traffic.down: a map or a list; messages of the server to the app
        traffic.down.at: a list; times of recorded messages, instead of `every`
        traffic.down.every: like 45s or a distribution; time between two messages
        traffic.down.arrivals: periodic|poisson; periodic: evenly spaced; poisson: random, with `every` as the mean
        traffic.down.jitter: like 2%; variation of each gap: plus or minus this share
        traffic.down.size: like 64KiB or a distribution, required; size of a message
        traffic.down.from: like 45s, default 0s; start of the stream; the first message comes one gap later
        traffic.down.until: like 45s, default 8784h; end of the stream
        traffic.down.push: none|normal|high or a map; push of this stream's messages, instead of the server's `push`
        traffic.down.push.priority: none|normal|high, default normal; high wakes a phone in Doze at once; normal waits for its windows
        traffic.down.push.collapse-keys: none or a number, default 1; different collapse keys, one for each message: a newer message replaces a waiting one with its key; none: each waits by itself
        traffic.down.push.ttl: like 45s, default 672h; time for which the push service stores a message; 0s: it is delivered at once or never
        traffic.up: a map or a list; messages of the app to the server
        traffic.probe: ; packets from the server that the phone's system answers at once
        traffic.probe.at: a list; times of recorded messages, instead of `every`
        traffic.probe.every: like 45s or a distribution; time between two messages
        traffic.probe.arrivals: periodic|poisson; periodic: evenly spaced; poisson: random, with `every` as the mean
        traffic.probe.jitter: like 2%; variation of each gap: plus or minus this share
        traffic.probe.size: like 64KiB or a distribution, required; size of a message
        traffic.probe.from: like 45s, default 0s; start of the stream; the first message comes one gap later
        traffic.probe.until: like 45s, default 8784h; end of the stream
        traffic.calls: a map or a list; calls of the app that the server answers
        traffic.calls.while: always|foreground|background, default always; foreground: only while the app is in the foreground; background: only while it is not
        traffic.calls.at: a list; times of recorded messages, instead of `every`
        traffic.calls.every: like 45s or a distribution; time between two messages
        traffic.calls.arrivals: periodic|poisson; periodic: evenly spaced; poisson: random, with `every` as the mean
        traffic.calls.jitter: like 2%; variation of each gap: plus or minus this share
        traffic.calls.size: like 64KiB or a distribution, required; size of a message
        traffic.calls.from: like 45s, default 0s; start of the stream; the first message comes one gap later
        traffic.calls.until: like 45s, default 8784h; end of the stream
        traffic.calls.answer: like 64KiB or a distribution, required; size of an answer
        traffic.encoding: none|protobuf|json|text, default none; encoding of messages: `size` is then the payload of a StreamEvent; text is JSON inside JSON
        app: ; the app's consumer of the server's messages; without it messages are shown at once
        app.consumes: like 45s or a distribution, default 0s; time to consume one message
        app.stalls: ; pauses of the consumer, for example while the screen is busy
        app.stalls.every: like 45s or a distribution, required; time from the end of one pause to the next
        app.stalls.for: like 45s or a distribution, required; duration of a pause
        app.memory-limit: like 64KiB; most bytes of unread messages; if the process holds more, the system ends it
        strategies: ; strategies to compare, with names of your own
        strategies.strategy: calm|hasty or like ./mine.yaml; name of a strategy or preset; the other settings here override the preset
        strategies.preset: calm|hasty or like ./mine.yaml; name of a strategy or preset; the other settings here override the preset
        strategies.calm: ; waits
        strategies.calm.ping: like 45s, default 45s; from one ping to the next
        strategies.calm.backoff: ; the wait between attempts
        strategies.calm.backoff.base: like 45s, default 500ms
        strategies.calm.backoff.multiplier: like 2%, default 200%
        strategies.calm.backoff.jitter: none|full, default full
        strategies.hasty: ; does not wait
        strategies.hasty.tries: a number, default 3; attempts in a row
        strategies.hasty.resume: true or false, default false; whether it asks for what it missed
        strategies.hasty.drop: like 2%, default 0; how often it gives up
        strategies.hasty.buffer: like 64KiB, default 64KiB; what it keeps
        expect: ; bounds that must hold, by strategy and metric; bounds of one group stand under the group's name; `across:` sets on how many networks of `run --across` they must hold
        expect.at-least: like 2%; under `across:`: share of the networks of `run --across` on which all bounds must hold (default 100%)
        expect.battery.joules: text
        expect.delivery.down.lost: text
        expect.zombie.max: text
        columns: a list; metrics of the table in addition to the usual ones; a matrix shows only these, by default those of `expect`
        """#,
        #"""
        links: ; links between phone and server
        links.wifi: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa or a map; link of wifi: a name such as wifi, or a map
        links.wifi.preset: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa; preset that supplies the values of all other settings
        links.wifi.delay: like 45s or a distribution; one-way delay, without waiting in the queue
        links.wifi.jitter: like 45s; variation of the delay, uniform: plus or minus this
        links.wifi.floor: like 45s; minimum delay of a packet; default: the minimum of `delay`
        links.wifi.rate: like 20Mbps; bits per second
        links.wifi.loss: like 2% or a map; packet loss
        links.wifi.loss.gilbert-elliott: ; good and bad periods, each with its own loss
        links.wifi.loss.gilbert-elliott.good: like 45s, required; mean length of a good period
        links.wifi.loss.gilbert-elliott.bad: like 45s, required; mean length of a bad period
        links.wifi.loss.gilbert-elliott.loss-in-good: like 2%, default 0; loss in good periods
        links.wifi.loss.gilbert-elliott.loss-in-bad: like 2%, default 1; loss in bad periods
        links.wifi.trace: text; file with the capacity of a link over time, instead of `rate`
        links.wifi.queue: text; limit of the queue before the link; default: unlimited
        links.wifi.spikes: ; periods in which every packet has an extra delay
        links.wifi.spikes.every: like 45s or a distribution, required; time from the end of one to the next
        links.wifi.spikes.for: like 45s or a distribution, required; duration of one
        links.wifi.spikes.add: like 45s or a distribution, required; extra delay of each packet meanwhile
        links.wifi.reordering: ; packets that arrive late, so that later ones overtake them
        links.wifi.reordering.share: like 2%, default 0; share of the packets that arrive late
        links.wifi.reordering.by: like 45s, required; how late they arrive
        links.wifi.up: ; settings for packets from the phone
        links.wifi.down: ; settings for packets to the phone
        links.wifi.down.delay: like 45s or a distribution; one-way delay, without waiting in the queue
        links.wifi.down.jitter: like 45s; variation of the delay, uniform: plus or minus this
        links.wifi.down.floor: like 45s; minimum delay of a packet; default: the minimum of `delay`
        links.wifi.down.rate: like 20Mbps; bits per second
        links.wifi.down.loss: like 2% or a map; packet loss
        links.wifi.down.loss.gilbert-elliott: ; good and bad periods, each with its own loss
        links.wifi.down.loss.gilbert-elliott.good: like 45s, required; mean length of a good period
        links.wifi.down.loss.gilbert-elliott.bad: like 45s, required; mean length of a bad period
        links.wifi.down.loss.gilbert-elliott.loss-in-good: like 2%, default 0; loss in good periods
        links.wifi.down.loss.gilbert-elliott.loss-in-bad: like 2%, default 1; loss in bad periods
        links.wifi.down.queue: text; limit of the queue before the link; default: unlimited
        links.wifi.down.spikes: ; periods in which every packet has an extra delay
        links.wifi.down.spikes.every: like 45s or a distribution, required; time from the end of one to the next
        links.wifi.down.spikes.for: like 45s or a distribution, required; duration of one
        links.wifi.down.spikes.add: like 45s or a distribution, required; extra delay of each packet meanwhile
        links.wifi.down.reordering: ; packets that arrive late, so that later ones overtake them
        links.wifi.down.reordering.share: like 2%, default 0; share of the packets that arrive late
        links.wifi.down.reordering.by: like 45s, required; how late they arrive
        links.cellular: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa or a map; link of cellular: a name such as wifi, or a map
        links.bluetooth: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa or a map; link of bluetooth: a name such as wifi, or a map
        links.sim2: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa or a map; link of sim2: a name such as wifi, or a map
        links.ethernet: wifi|lte|nr|nr-mid|umts|bluetooth|ethernet|perfect|wpt-cable|wpt-dsl|wpt-fios|wpt-dial|wpt-3g|wpt-3g-fast|wpt-3g-slow|wpt-edge|wpt-2g|emulator-gsm|emulator-hscsd|emulator-gprs|emulator-edge|emulator-umts|emulator-hsdpa or a map; link of ethernet: a name such as wifi, or a map
        links.others: ; links with names of your own, for `conditions` in the timeline
        """#,
    ]
}
