import DeadzoneHost
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneWorld

/// What each entry of the timeline does to the phone's kernel, to the road and to the programs.
extension LiveRun {
    /// Less is preferred. Wi-Fi comes before cellular, as on phones; a network that fades behind all.
    private static func rank(_ interface: Interface, isFading: Bool = false) -> Int32 {
        isFading ? 300 : interface == .wifi ? 100 : 200
    }

    /// Private addresses of a home and of a carrier's NAT (RFC 1918 and RFC 6598), another one each time.
    private func nextAddress(_ interface: Interface) -> HostAddress {
        let base: UInt32 = interface == .wifi ? 0xc0a8_4d00 : 0x6440_0700
        return HostAddress(base + 2 + road.ports[Int(interface.rawValue)].epoch % 250)
    }

    /// Returns false when nothing was there to change, or it is nothing that can be enacted.
    mutating func enact(_ change: Change) -> Bool {
        if let tookEffect = phone?.enact(change, at: road.now) {
            obeyPhone()
            return tookEffect
        }
        switch change {
        case .pathUp(let interface, let attachment): return raise(interface, attachment)
        case .pathDown(let interface, let manner): return drop(interface, manner)
        case .readdress(let interface, let manner): return readdress(interface, manner)
        case .fading(let interface):
            guard road.ports[Int(interface.rawValue)].address != nil else { return false }
            road.ports[Int(interface.rawValue)].isFading = true
            sandbox.rerank(
                interface.device, from: Self.rank(interface), to: Self.rank(interface, isFading: true))
            return true
        case .coverage(let interface, let isThere): return road.cover(interface, isThere)
        case .oneWay(let interface, let direction, let passes): return road.pass(direction, passes, on: interface)
        case .uplink(let interface, let isThere): return road.connectUplink(isThere, on: interface)
        case .cellHandover: return road.changeCell()
        case .technology(let index): return road.changeTechnology(index)
        case .signal(_, let radio, let condition): return road.changePrices(to: radio, condition: condition)
        case .conditions(let interface, let number): return road.meet(interface, condition: number)
        case .mappingsLost(let interface): return road.loseMappings(interface)
        case .names(let resolve): return road.resolve(resolve)
        case .access(let interface, let access): return road.admit(access, to: interface)
        case .push(let isUrgent):
            guard let phone else { return false }
            phone.pushes.ask(isUrgent: isUrgent, at: road.now)
            return true
        case .kill: return killApp(startsAgain: true)
        case .forceStop: return killApp(startsAgain: false)
        case .app(foreground: true) where isAway:
            isAway = false
            revive(.client)
            return true
        case .server(let change): return enact(change)
        case .deploy: return replaceServer()
        // `Change.obstacle` has said before the run what nobody can do.
        default: return false
        }
    }

    // MARK: Networks

    private mutating func raise(_ interface: Interface, _ attachment: Attachment) -> Bool {
        let address = nextAddress(interface)
        guard road.raise(interface, address, usableAfter: attachment.usableAfter, portal: attachment.portal)
        else { return false }
        sandbox.set(interface.device, address: address.own, rank: Self.rank(interface))
        return true
    }

    private mutating func drop(_ interface: Interface, _ manner: OldPath) -> Bool {
        guard let address = road.ports[Int(interface.rawValue)].address else { return false }
        endSockets(of: address, interface, manner)
        guard road.drop(interface) else { return false }
        sandbox.set(interface.device, address: nil, rank: Self.rank(interface))
        return true
    }

    private mutating func readdress(_ interface: Interface, _ manner: OldPath) -> Bool {
        guard let old = road.ports[Int(interface.rawValue)].address else { return false }
        endSockets(of: old, interface, manner)
        let address = nextAddress(interface)
        guard road.readdress(interface, address) else { return false }
        sandbox.set(interface.device, address: nil, rank: Self.rank(interface))
        sandbox.set(interface.device, address: address.own, rank: Self.rank(interface))
        return true
    }

    /// Linux takes an address away and leaves its sockets silent. What Android tells them by SOCK_DESTROY, and iOS in its own way, a
    /// reset tells them here, at the phone alone; from the server's side at both ends.
    private mutating func endSockets(of address: HostAddress, _ interface: Interface, _ manner: OldPath) {
        guard manner != .silent && manner != .halfOpen else { return }
        for name in road.watch.open(on: address) {
            guard let ends = road.watch.ends(of: name) else { continue }
            let flags: Datagram.Flags = manner == .ended ? [.fin, .ack] : [.rst, .ack]
            let told = name.segment(.down, flags, sequence: ends.phone, acknowledgement: ends.server)
            write(told, to: interface.device)
            road.watch.phoneGot(told, name, at: road.now)
            guard manner == .reset else { continue }
            let other = name.segment(.up, flags, sequence: ends.server, acknowledgement: ends.phone)
            write(other, to: .server)
        }
    }

    // MARK: Programs

    /// What the phone has decided.
    mutating func obeyPhone() {
        for (at, deed) in phone?.takeDeeds() ?? [] {
            let client = Role.client.rawValue
            switch deed {
            case .note(let note): road.watch.note(note, at: max(at, road.now))
            case .stop: sandbox.signal(client, .stop)
            case .goOn: sandbox.signal(client, .goOn)
            case .end:
                isAway = true
                sandbox.signal(client, .kill)
            case .start:
                isAway = false
                revive(.client)
            case .close: road.isClosed = true
            case .open: road.isClosed = false
            case .endSockets:
                for port in road.ports { if let own = port.address { endSockets(of: own, port.interface, .error) } }
            }
        }
    }

    /// Now, or once the process that was asked to end has done so.
    private mutating func revive(_ role: Role) {
        if isRunning[role.rawValue] { wanted.append(role) } else { launch(role) }
    }

    /// What the push service does as things stand: on its way the push is a packet of its own, and the app's process is woken for it
    /// by the system's leave. Nothing tells a program of Linux what was in it; a hook may.
    mutating func servePush() {
        guard let phone else { return }
        switch road.takePush() {
        case .none, .underWay: break
        case .lost: phone.pushes.lose(at: road.now)
        case .here: phone.pushes.arrive()
        }
        switch phone.pushes.wish {
        case .nothing: break
        case .send:
            guard phone.pushes.repeatAt == .never || phone.pushes.repeatAt <= road.now, road.launchPush() else {
                return
            }
            phone.pushes.sent()
        case .handOver:
            guard phone.handOver(at: road.now) else { return }
            obeyPhone()
            road.watch.journal(.pushed, value: phone.pushes.finish(at: road.now).nanoseconds, at: road.now)
            runHooks("push")
        }
    }

    /// Commands of the user's, for what is about to happen.
    func runHooks(_ text: String) {
        for hook in plan.hooks where text.hasPrefix(hook.event) { Sandbox.runOutside(hook.command) }
    }

    private mutating func killApp(startsAgain: Bool) -> Bool {
        guard isRunning[Role.client.rawValue] else { return false }
        road.watch.journal(.killed, at: road.now)
        if startsAgain { wanted.append(.client) } else { isAway = true }
        sandbox.signal(Role.client.rawValue, .kill)
        return true
    }

    private mutating func enact(_ change: ServerChange) -> Bool {
        guard plan.server != nil else { return false }
        let server = Role.server.rawValue
        switch change {
        case .frozen: sandbox.signal(server, .stop)
        case .thawed: sandbox.signal(server, .goOn)
        case .down:
            isServerDown = true
            sandbox.signal(server, .kill)
        case .up:
            guard isServerDown else { return false }
            isServerDown = false
            revive(.server)
        case .draining: return replaceServer()
        case .refusingLogins, .takingLogins: return false
        }
        return true
    }

    /// As a deploy does: a signal to end, time to do so in order, and a new process.
    private mutating func replaceServer() -> Bool {
        guard plan.server != nil, isRunning[Role.server.rawValue] else { return false }
        wanted.append(.server)
        sandbox.signal(Role.server.rawValue, .end)
        due.insert(.killUnlessEnded(.server), at: now() + Self.grace)
        return true
    }
}

extension Interface {
    var device: Sandbox.Device { self == .wifi ? .wifi : .cellular }
}

extension HostAddress {
    var own: Sandbox.Address { Sandbox.Address(ipv4: ipv4, ipv6: ipv6) }
}
