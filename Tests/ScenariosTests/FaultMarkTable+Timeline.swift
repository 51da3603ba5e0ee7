extension FaultMarkTable {
    /// Changes of the timeline.
    static let changes = #"""
        timeline: [{at: 1m, handoff: cellular, gap: 1s, «overlap»: 1s}]
        => E0215 `gap` and `overlap`

        timeline: [{at: 1m, server: drain, «app»: foreground}]
        => E0215 the app is in the foreground already

        timeline: [«{»at: 1m, app: foreground}]
        => E0215 the app is in the foreground already

        timeline: [{at: 1m, app: background, «for»: 5s}]
        => E0215 `for` without `one-way`, `server`, `instance`, `dns`, `conditions` or `signal`

        timeline: [{at: 1m, «cell-handover»: false}]
        => E0215 `cell-handover: false` has no effect

        timeline: [{at: 1m, wifi: «no»}]
        => E0110 `no` is no network

        timeline: [{at: 1m, server: down, «dns-after»: 1s}]
        => E0215 `dns-after` without `server: moves`

        timeline: [{at: 1m, access: refused, «takes»: 1s}]
        => E0215 `takes` without `access: on-demand`

        timeline: [{at: 1m, «instance»: {down: 1, frozen: 1}}]
        => E0215 an instance needs exactly one change

        timeline: [{at: 1m, «instance»: {}}]
        => E0215 an instance needs exactly one change

        timeline: [{at: 1m, «streams»: {}}]
        => E0215 an end of no stream

        timeline: [{at: 1m, chaos: {dead-zone: {every: 9m, for: 1s}, «ends»: silent}}]
        => E0215 `ends` without disconnect or handoff

        timeline: [{at: 1m, chaos: {handoff: 1m, ends: silent}}]
        => none

        timeline: [{at: 1m, chaos: {disconnect: 1m, ends: silent}}]
        => none

        timeline: [«{»at: 1m, chaos: {for: 1m}}]
        => E0213 chaos without a disturbance

        phone: {radios: {wifi: test-wifi}}
        timeline: [«{»at: 1m, chaos: {handoff: 1m}}]
        => E0215 a handoff needs two radios

        timeline: [«{»at: 1m, chaos: {disconnect: 50ms, for: 40m}}]
        => E0213 disturbances

        timeline: [{at: 1m, «phones»: 2, airplane: 9s}]
        => E0108 2 of 1 phones

        phones: 2
        timeline: [{at: 1m, phones: 2, airplane: 9s}]
        => none

        timeline: [«{»at: 1m, peer: blocked}]
        => E0215 `peer` without a peer

        server: {peer: {relay: 30ms}}
        timeline: [«{»at: 1m, peer: open}]
        => E0215 the direct path is

        server: {peer: {relay: 30ms}}
        timeline: [{at: 1m, peer: blocked}, {at: 2m, peer: open}]
        => none

        server: {peer: {relay: 30ms}}
        timeline: [{at: 1m, peer: blocked}, «{»at: 2m, peer: blocked}]
        => E0215 the direct path is

        server: {peer: {relay: 30ms}}
        timeline: [{at: 1m, peer: moves}, {at: 2m, peer: moves}]
        => none

        timeline: [«{»at: 1m, server: moves}]
        => E0215 `server: moves` without a resolver

        resolver: {}
        timeline: [«{»at: 1m, server: moves, for: 1m}]
        => E0215 `moves` has no length

        resolver: {}
        timeline: [{at: 1m, server: moves, dns-after: 5m}, «{»at: 5m, server: moves}]
        => E0215 the server's name does not have

        resolver: {}
        timeline: [{at: 1m, server: moves, dns-after: 5m}, {at: 6m, server: moves}]
        => none

        timeline: [«{»at: 1m, server: drain, for: 1m}]
        => E0215 `up` and `drain` have no length

        timeline: [{at: 1m, server: down}, «{»at: 2m, server: up, for: 1m}]
        => E0215 `up` and `drain` have no length

        timeline: [{at: 1m, server: down, for: 9m}, «{»at: 2m, server: up}]
        => E0215 the server comes back by itself

        timeline: [«{»at: 1m, server: up}]
        => E0215 the server is up already

        timeline: [{at: 1m, server: frozen}, «{»at: 2m, server: down}]
        => E0215 the previous disturbance of the server

        timeline: [{at: 1m, server: frozen, for: 1m}, {at: 2m, server: down}]
        => none

        timeline: [{at: 1m, server: frozen}, «{»at: 2m, server: drain}]
        => E0215 the previous disturbance of the server

        resolver: {}
        timeline: [«{»at: 1m, dns: up}]
        => E0215 names resolve already

        resolver: {}
        timeline: [{at: 1m, dns: down}, «{»at: 2m, dns: up, for: 1m}]
        => E0215 `up` has no length

        resolver: {}
        timeline: [{at: 1m, dns: down, for: 9m}, «{»at: 2m, dns: up}]
        => E0215 names resolve already

        resolver: {}
        timeline: [{at: 1m, dns: down}, «{»at: 2m, dns: down}]
        => E0215 names do not resolve already

        resolver: {}
        timeline: [{at: 1m, dns: down, for: 1m}, {at: 2m, dns: down}]
        => none

        timeline: [«{»at: 1m, one-way: off}]
        => E0215 no direction is blocked

        timeline: [{at: 1m, one-way: up}, «{»at: 2m, one-way: off, for: 1m}]
        => E0215 `off` has no length

        timeline: [{at: 1m, one-way: up, for: 9m}, «{»at: 2m, one-way: off}]
        => E0215 no direction is blocked

        timeline: [{at: 1m, one-way: up}, {at: 2m, one-way: off}, {at: 3m, one-way: down}]
        => none

        timeline: [{at: 1m, one-way: up}, «{»at: 2m, one-way: down}]
        => E0215 wifi is one-way already

        timeline: [{at: 1m, one-way: up, interface: wifi}, {at: 2m, one-way: down, interface: cellular}]
        => none

        timeline: [{at: 1m, wan-cut: 9m}, «{»at: 2m, wan-cut: 1m}]
        => E0215 the previous cut

        timeline: [{at: 1m, wan-cut: 1m}, {at: 2m, wan-cut: 1m}]
        => none

        timeline: [«{»at: 1m, nat: forget}]
        => E0215 `nat: forget` without a middlebox

        middleboxes: {cellular: [{idle: 1m}]}
        timeline: [«{»at: 1m, nat: forget}]
        => E0215 `nat: forget` without a middlebox

        middleboxes: {cellular: [{idle: 1m}]}
        timeline: [{at: 1m, nat: forget, interface: cellular}]
        => none

        timeline: [«{»at: 1m, conditions: {wifi: usual}}]
        => E0215 these conditions hold already

        timeline: [{at: 1m, conditions: {wifi: lte}, for: 9m}, «{»at: 2m, conditions: {wifi: usual}}]
        => E0215 the previous conditions still hold

        timeline: [{at: 1m, conditions: {wifi: lte}, for: 1m}, {at: 2m, conditions: {wifi: lte}}]
        => none

        timeline: [«{»at: 1m, access: open}]
        => E0215 access to wifi is open already

        timeline: [{at: 0s, access: open}]
        => none

        timeline: [{at: 1m, access: refused}, «{»at: 2m, access: refused}]
        => E0215 wifi is refused to the app already

        timeline: [{at: 1m, access: refused}, {at: 2m, access: open}, «{»at: 3m, access: open}]
        => E0215 access to wifi is open already

        timeline: [{at: 1m, access: by-hand}, {at: 2m, access: by-hand}, {at: 3m, access: open}]
        => none

        server: {instances: 2}
        timeline: [«{»at: 1m, instance: {down: 3}}]
        => E0215 the server has no instance 3

        server: {instances: 2}
        timeline: [«{»at: 1m, instance: {down: 1}, for: {uniform: [1s, 2s]}, together: true}]
        => E0215 an instance with a random time or length

        server: {instances: 2}
        timeline: [{at: 1m, instance: {down: 1}, for: 9m}, «{»at: 2m, instance: {frozen: 1}}]
        => E0215 the previous disturbance of the instance

        server: {instances: 2}
        timeline: [{at: 1m, instance: {down: 1}, for: 9m}, {at: 2m, instance: {frozen: 2}}]
        => none

        timeline: [«{»at: 1m, server-version: new}]
        => E0110 unknown version of the server `new`

        timeline: [«{»at: 1m, server-version: usual}]
        => E0215 the server has this version already

        server: {versions: {new: {resume-window: 1m}}}
        timeline: [{at: 1m, server-version: new}, {at: 2m, server-version: usual}]
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
        timeline: [«{»at: 1m, alarm-clock: 1m}]
        => E0215 the alarm clock would have rung before it is set

        phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
        timeline: [{at: 1m, alarm-clock: 61s}]
        => none

        timeline: [«{»at: 1m, alarm-clock: 2m}]
        => E0215 `alarm-clock` without an operating system

        timeline: [«{»at: 1m, handoff: wifi}]
        => E0215 the phone is on wifi already

        timeline: [{at: 1m, handoff: wifi, name: cafe}]
        => none

        timeline: [«{»at: 1m, handoff: wifi, name: cafe, overlap: 1s}]
        => E0215 one radio is on one network at a time

        timeline: [{at: 0s, wifi: home, cellular: on}, «{»at: 1m, handoff: cellular, gap: 1s}]
        => E0215 cellular is up already, so there is nothing to join

        timeline: [{at: 0s, wifi: home, cellular: on}, «{»at: 1m, handoff: cellular, portal: 1s}]
        => E0215 cellular is up already, so there is nothing to join

        timeline: [{at: 0s, wifi: home, cellular: on}, {at: 1m, handoff: cellular}]
        => none

        timeline: [{at: 0s, wifi: off, cellular: off}, «{»at: 1m, airplane: 9s}]
        => E0215 the phone has no network to lose

        timeline: [«{»at: 1m, cellular: off}]
        => E0215 cellular is not up

        timeline: [{at: 0s, cellular: off}]
        => none

        timeline: [«{»at: 1m, wifi: home}]
        => E0215 wifi is up already at 1m

        timeline: [«{»at: 44m, handoff: cellular, gap: 1m}]
        => E0214 the new network would be there at

        timeline: [«{»at: 44m, handoff: cellular, usable-after: 60s}]
        => E0214 the new network would be there at

        timeline: [{at: 44m, handoff: cellular, gap: 59s}]
        => none

        timeline: [«{»at: 45m, handoff: cellular}]
        => E0214 it would come at 45m

        phone: {radios: {wifi: test-wifi}}
        timeline: [«{»at: 1m, handoff: cellular}]
        => E0215 the phone has no cellular radio

        phone: {radios: {wifi: test-wifi}}
        timeline: [«{»at: 1m, cell-handover: true}]
        => E0215 the phone has no cellular radio

        timeline: [«{»at: 1m, cell-handover: true}]
        => E0215 the phone is not on cellular

        timeline: [«{»at: 1m, signal: weak}]
        => E0215 the cellular profile has no values for a weak signal

        timeline: [«{»at: 1m, technology: umts}]
        => E0215 the phone has no umts radio

        phone: {radios: {cellular: test-lte, lte: test-lte}}
        timeline: [{at: 1m, technology: lte}, «{»at: 2m, technology: lte}]
        => E0215 the radio is lte already

        phone: {radios: {cellular: test-lte, lte: test-lte}}
        timeline: [{at: 1m, technology: lte}, {at: 2m, technology: cellular}]
        => none
        """#
}
