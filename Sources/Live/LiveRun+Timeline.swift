import DeadzoneBase
import DeadzoneHost
import DeadzoneSimulator

/// Applies timeline entries to the phone's kernel, the live path and the programs.
extension LiveRun {
    /// Route metric; the lowest is preferred. Wi-Fi comes before cellular, as on phones, and a fading network comes
    /// last.
    private static func rank(_ interface: Interface, isFading: Bool = false) -> Int32 {
        isFading ? 300 : interface == .wifi ? 100 : 200
    }

    /// The next private address of a home network (RFC 1918) or of a carrier's NAT (RFC 6598). Each one is different
    /// from the last.
    private func nextAddress(_ interface: Interface) -> HostAddress {
        let base: UInt32 = interface == .wifi ? 0xc0a8_4d00 : 0x6440_0700
        return HostAddress(base + 2 + livePath[interface].addressCount % 250)
    }

    /// Returns `false` if there was nothing to change, or if a live run cannot apply the change.
    mutating func apply(_ change: ConditionChange) -> Bool {
        if let tookEffect = phone?.apply(change, at: livePath.now) {
            applyPhoneActions()
            return tookEffect
        }
        if let interface = change.interface, !Interface.common.contains(interface) { return false }
        switch change {
        case .pathUp(let interface, let attachment): return bringUp(interface, attachment)
        case .pathDown(let interface, let lossSignal): return takeDown(interface, lossSignal)
        case .readdress(let interface, let lossSignal): return readdress(interface, lossSignal)
        case .fading(let interface):
            guard livePath[interface].address != nil else { return false }
            livePath[interface].isFading = true
            sandbox.changeRouteMetric(
                interface.device, from: Self.rank(interface), to: Self.rank(interface, isFading: true))
            return true
        case .coverage(let interface, let isThere): return livePath.changeCoverage(interface, isThere)
        case .roamed: return livePath.changeCoverage(.wifi, true)
        case .oneWay(let interface, let direction, let passes):
            return livePath.setPassing(direction, passes, on: interface)
        case .uplink(let interface, let isThere): return livePath.setUplink(isThere, on: interface)
        case .cellHandover: return livePath.changeCell()
        case .technology(let index): return livePath.changeTechnology(index)
        case .signal(_, let radio, let condition): return livePath.changeSignal(to: radio, condition: condition)
        case .conditions(let interface, let number): return livePath.applyCondition(interface, condition: number)
        case .mappingsLost(let interface): return livePath.loseMappings(interface)
        case .names(let resolve): return livePath.setNameResolution(resolve)
        case .access(let interface, let access): return livePath.setAccess(access, to: interface)
        case .push(let isUrgent):
            guard let phone else { return false }
            phone.pushes.request(isUrgent: isUrgent, at: livePath.now)
            return true
        case .kill: return killApp(startsAgain: true)
        case .forceStop: return killApp(startsAgain: false)
        case .app(foreground: true) where isAppEnded:
            isAppEnded = false
            restart(.client)
            return true
        case .server(let change): return apply(change)
        case .deploy: return replaceServer()
        // `ConditionChange.unsupportedReason` reported these before the run.
        default: return false
        }
    }

    // MARK: Networks

    private mutating func bringUp(_ interface: Interface, _ attachment: Attachment) -> Bool {
        let address = nextAddress(interface)
        guard livePath.bringUp(interface, address, usableAfter: attachment.usableAfter, portal: attachment.portal)
        else { return false }
        sandbox.set(interface.device, address: address.sandboxAddress, rank: Self.rank(interface))
        return true
    }

    private mutating func takeDown(_ interface: Interface, _ lossSignal: PathLossSignal) -> Bool {
        guard let address = livePath[interface].address else { return false }
        endSockets(of: address, interface, lossSignal)
        guard livePath.takeDown(interface) else { return false }
        sandbox.set(interface.device, address: nil, rank: Self.rank(interface))
        return true
    }

    private mutating func readdress(_ interface: Interface, _ lossSignal: PathLossSignal) -> Bool {
        guard let old = livePath[interface].address else { return false }
        endSockets(of: old, interface, lossSignal)
        let address = nextAddress(interface)
        guard livePath.readdress(interface, address) else { return false }
        sandbox.set(interface.device, address: nil, rank: Self.rank(interface))
        sandbox.set(interface.device, address: address.sandboxAddress, rank: Self.rank(interface))
        return true
    }

    /// Closes the sockets of an address that goes away. Linux removes an address and leaves its sockets silent.
    /// Android resets them with SOCK_DESTROY, and iOS signals them in its own way. Here a reset or FIN segment does
    /// it, at the phone only. If the server's side caused the loss, both ends get a reset.
    private mutating func endSockets(of address: HostAddress, _ interface: Interface, _ lossSignal: PathLossSignal) {
        guard lossSignal != .silent && lossSignal != .halfOpen else { return }
        for name in livePath.observer.openConnections(on: address) {
            guard let ends = livePath.observer.expectedSequences(of: name) else { continue }
            let flags: Datagram.SegmentFlags = lossSignal == .ended ? [.fin, .ack] : [.rst, .ack]
            let segment = name.segment(.down, flags, sequence: ends.phone, acknowledgement: ends.server)
            write(segment, to: interface.device)
            livePath.observer.phoneReceived(segment, name, at: livePath.now)
            guard lossSignal == .reset else { continue }
            let other = name.segment(.up, flags, sequence: ends.server, acknowledgement: ends.phone)
            write(other, to: .server)
        }
    }

    // MARK: Programs

    /// Carries out the actions that the operating system has decided.
    mutating func applyPhoneActions() {
        for (at, action) in phone?.takeActions() ?? [] {
            let client = Role.client.rawValue
            switch action {
            case .journal(let note): livePath.observer.appendEntry(note, at: max(at, livePath.now))
            case .stop: sandbox.signal(client, .stop)
            case .resume: sandbox.signal(client, .resume)
            case .endProcess:
                isAppEnded = true
                sandbox.signal(client, .kill)
            case .startProcess:
                isAppEnded = false
                restart(.client)
            case .closeFirewall: livePath.isClosed = true
            case .openFirewall: livePath.isClosed = false
            case .endSockets:
                for liveInterface in livePath.interfaces {
                    if let address = liveInterface.address { endSockets(of: address, liveInterface.interface, .error) }
                }
            }
        }
    }

    /// Starts the program now, or as soon as the process that was asked to end has exited.
    private mutating func restart(_ role: Role) {
        if isRunning[role.rawValue] { awaitingRestart.append(role) } else { launch(role) }
    }

    /// Carries out the next step of the push service. The push crosses the live path as a packet of its own. Then the
    /// operating system wakes the app's process for it. There is no way to pass the content to a Linux program, but a
    /// hook can.
    mutating func advancePush() {
        guard let phone else { return }
        switch livePath.takePushStatus() {
        case .none, .underWay: break
        case .lost: phone.pushes.scheduleRepeat(at: livePath.now)
        case .here: phone.pushes.arrive()
        }
        switch phone.pushes.nextAction {
        case .nothing: break
        case .send:
            guard phone.pushes.due(after: livePath.now) == .never, livePath.sendPush() else { return }
            phone.pushes.sent()
        case .handOver:
            guard phone.deliverPush(at: livePath.now) else { return }
            applyPhoneActions()
            livePath.observer.appendRecord(
                .pushed, value: phone.pushes.finish(at: livePath.now).nanoseconds, at: livePath.now)
            runHooks("push", nil)
        }
    }

    /// Runs the user's commands for a timeline change.
    /// - Parameter index: index of the change in the timeline; `nil` for the delivery of a push.
    mutating func runHooks(_ label: String, _ index: Int?) {
        for (place, hook) in plan.hooks.enumerated() where hook.applies(to: label, index) {
            hookCounts[place] += 1
            hookCommands.run(hook.command, number: place)
        }
    }

    /// Notes about hooks with a command that failed. Commands that still run at the end are not counted.
    mutating func addHookNotes() {
        let failed = hookCommands.exits().filter { $0.code != 0 }
        for (place, hook) in plan.hooks.enumerated() {
            let codes = failed.filter { $0.number == place }.map(\.code)
            guard let first = codes.first else { continue }
            let ending = first > 128 ? "was ended by signal \(first - 128)" : "exited with code \(first)"
            let count = codes.count > 1 ? ", and failed \(codes.count) times" : ""
            outcome.notes.append(
                "--on \(hook.event): the command \(ending)\(count): \(visible(hook.command, atMost: 80))")
        }
    }

    private mutating func killApp(startsAgain: Bool) -> Bool {
        guard isRunning[Role.client.rawValue] else { return false }
        livePath.observer.appendRecord(.killed, at: livePath.now)
        if startsAgain { awaitingRestart.append(.client) } else { isAppEnded = true }
        sandbox.signal(Role.client.rawValue, .kill)
        return true
    }

    private mutating func apply(_ change: ServerChange) -> Bool {
        guard plan.server != nil else { return false }
        let server = Role.server.rawValue
        switch change {
        case .frozen, .thawed:
            sandbox.signal(server, change == .frozen ? .stop : .resume)
            livePath.setServer(isFrozen: change == .frozen)
        case .down:
            isServerDown = true
            sandbox.signal(server, .kill)
        case .up:
            guard isServerDown else { return false }
            isServerDown = false
            restart(.server)
        case .draining: return replaceServer()
        case .refusingLogins, .takingLogins: return false
        }
        return true
    }

    /// Restarts the server as a deploy does: a termination signal, a grace period, then a new process.
    private mutating func replaceServer() -> Bool {
        guard plan.server != nil, isRunning[Role.server.rawValue] else { return false }
        awaitingRestart.append(.server)
        sandbox.signal(Role.server.rawValue, .end)
        scheduledActions.insert(.killUnlessEnded(.server), at: now() + Self.shutdownGrace)
        return true
    }
}

extension Interface {
    var device: Sandbox.Device { self == .wifi ? .wifi : .cellular }
}

extension HostAddress {
    var sandboxAddress: Sandbox.DualStackAddress { Sandbox.DualStackAddress(ipv4: ipv4, ipv6: ipv6) }
}
