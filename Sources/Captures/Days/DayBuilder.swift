/// Turns the changes of a battery history into lanes, one change after the other.
struct DayBuilder {
    /// Time within which a phone that associates anew is joined again if it only roams, in milliseconds.
    private static let roamLimit: Int64 = 3_000

    private var network = Lane(PhoneDay.DefaultNetwork.none)
    private var cellular = Lane(CellularState.none)
    private var radioOff = Lane(false)
    private var suspended = Lane(false)
    private var call = Lane(false)
    private var doze = Lane(RecordedDoze.off)
    private var screen = Lane(false)
    private var plugged = Lane(false)
    private var powerSave = Lane(false)
    private var mobileRadio = Lane(false)
    private var wifiRadio = Lane(false)
    private var wifiConnected = Lane(false)
    private var running = Lane(false)
    private var foreground = Lane(false)
    private var front = Lane(false)
    private var topApp = Lane(Int32(-1))
    private var locked = Lane(false)
    private var signalBars = Lane(UInt8.max)

    private let history: BatteryHistory
    /// Index of the package under study; -1 if there is none.
    private let package: Int32
    private var roams: [LaneStretch<Bool>] = []
    private var pushes: [PhoneDay.RecordedPush] = []
    private var jobEnds: [Int64] = []
    private var restarts: [PhoneDay.PhoneRestart] = []
    /// Moments at which a packet of an app woke a radio.
    private(set) var wakes: [(at: Int64, uid: Int32, isOfApp: Bool)] = []

    // State of the networks.
    private var association = Association.away
    private var phoneState = PhoneState.inService
    /// Time at which a joined phone began to associate anew. `nil` if it has not.
    private var joiningSince: Int64?
    /// Type of the network that was last announced as connected. `nil` if none was since the last start.
    private var announced: Announcement?
    /// `true` after the first `conn` event.
    private var hasAnnouncements = false
    /// `true` if the file never says the technology, so that data of a cellular network is only seen from events.
    private let hasTechnology: Bool
    private let hasCellular: Bool
    private var shutdownAt: Int64?

    /// The last `conn` event.
    private enum Announcement { case mobile, wifi, nothing }

    init(_ history: BatteryHistory, app: String?) {
        self.history = history
        package = app.flatMap { history.packages.firstIndex(of: $0) }.map { Int32($0) } ?? -1
        hasTechnology = history.events.contains { $0.kind == .technology }
        hasCellular =
            hasTechnology
            || history.events.contains {
                $0.kind == .mobileRadio && $0.value == 1 || $0.kind == .connectivity && $0.subject == 0
            }
        if hasCellular, !hasTechnology { cellular = Lane(.other) }
    }

    mutating func add(_ event: HistoryEvent) {
        let at = event.at
        let isOn = event.value == 1
        switch event.kind {
        case .screen: screen.set(isOn, at: at)
        case .plugged: plugged.set(isOn, at: at)
        case .powerSave: powerSave.set(isOn, at: at)
        case .mobileRadio: mobileRadio.set(isOn, at: at)
        case .wifiRadio: wifiRadio.set(isOn, at: at)
        case .running: running.set(isOn, at: at)
        case .doze: doze.set(RecordedDoze(rawValue: event.value) ?? .off, at: at)
        case .call: call.set(isOn, at: at)
        case .top: setTop(event)
        case .radioWake: wakes.append((at, event.subject, isApp(event.subject)))
        case .allowList: pushes.append(.init(at: at, isForApp: isApp(event.subject)))
        case .job: jobEnds.append(at)
        case .technology, .phoneState, .supplicant, .wifi, .connectivity: addNetwork(event)
        case .locked: locked.set(isOn, at: at)
        case .signalBars: signalBars.set(event.value, at: at)
        case .shutdown:
            shutdownAt = at
            forgetAll(at: at)
        case .start:
            restarts.append(.init(at: shutdownAt ?? at, downtime: nil))
            shutdownAt = nil
            forgetAll(at: at)
        case .nrState, .time, .overflow, .unused, .names: return
        }
        if event.kind == .screen || event.kind == .top { updateForeground(at: at) }
        if event.kind == .call || event.kind == .technology { updateSuspension(at: at) }
    }

    private func isApp(_ uid: Int32) -> Bool { package >= 0 && history.users[uid] == package }

    private mutating func setTop(_ event: HistoryEvent) {
        if event.value == 1 {
            topApp.set(event.subject, at: event.at)
        } else if topApp.present == event.subject {
            // The end of one app may be reported after the beginning of the next.
            topApp.set(-1, at: event.at)
        }
    }

    private mutating func updateForeground(at: Int64) {
        front.set(package >= 0 && topApp.present == package, at: at)
        foreground.set(front.present && screen.present, at: at)
    }

    // MARK: Networks

    private mutating func addNetwork(_ event: HistoryEvent) {
        let at = event.at
        switch event.kind {
        case .technology:
            cellular.set(CellularState(rawValue: event.value) ?? .other, at: at)
            if announced == .nothing { announced = nil }
        case .phoneState:
            phoneState = PhoneState(rawValue: event.value) ?? .inService
            radioOff.set(phoneState == .off, at: at)
        case .supplicant: setAssociation(Association(rawValue: event.value) ?? .away, at: at)
        case .wifi where event.value == 0: setAssociation(.away, at: at)
        case .connectivity: addAnnouncement(event)
        default: break
        }
        wifiConnected.set(isJoined, at: at)
        network.set(present, at: at)
    }

    /// `true` while Wi-Fi is connected, which includes short changes of the access point.
    private var isJoined: Bool { association == .joined || joiningSince != nil }

    private mutating func setAssociation(_ new: Association, at: Int64) {
        switch (association, new) {
        case (.joined, .joining): joiningSince = at
        case (.joining, .joined):
            if let since = joiningSince, at - since <= Self.roamLimit { roams.append(LaneStretch(since, at, true)) }
            joiningSince = nil
            if announced == .nothing { announced = nil }
        case (_, .away):
            joiningSince = nil
            if announced == .wifi { announced = nil }
        default: break
        }
        association = new
    }

    private mutating func addAnnouncement(_ event: HistoryEvent) {
        // Types of `ConnectivityManager`: 0 mobile, 1 Wi-Fi. Others are tunnels or networks of the operator.
        guard event.subject == 0 || event.subject == 1 else { return }
        let kind = event.subject == 0 ? Announcement.mobile : .wifi
        let isFirst = !hasAnnouncements
        hasAnnouncements = true
        switch ConnectivityState(rawValue: event.value) ?? .unknown {
        case .connected:
            announced = kind
            if kind == .mobile { suspended.set(false, at: event.at) }
            if isFirst, kind == .mobile { correctBeginning() }
        case .disconnected where announced == kind || announced == nil:
            announced = .nothing
            if kind == .mobile { suspended.set(false, at: event.at) }
        case .suspended where kind == .mobile: suspended.set(true, at: event.at)
        default: break
        }
    }

    /// A history begins with the association, but without the default network. If the phone is still associated when
    /// the cellular network is announced for the first time, and only the mobile radio was busy before, then Wi-Fi did
    /// not work from the beginning.
    private mutating func correctBeginning() {
        guard network.stretches.isEmpty, network.present == .wifi, present == .cellular,
            !wifiRadio.present, wifiRadio.stretches.allSatisfy({ !$0.value }),
            mobileRadio.present || mobileRadio.stretches.contains(where: \.value)
        else { return }
        network = Lane(.cellular)
    }

    /// The default network. Since Android 8 the last announcement decides, because a phone may be associated with a
    /// Wi-Fi network that does not work; without one, Wi-Fi comes first.
    private var present: PhoneDay.DefaultNetwork {
        let wifi = isJoined
        let mobile = cellular.present.carriesData && phoneState != .off && hasCellular
        switch announced {
        case .nothing: return .none
        case .mobile where mobile: return .cellular
        case .wifi where wifi: return .wifi
        case .mobile, .wifi, nil: return wifi ? .wifi : mobile ? .cellular : .none
        }
    }

    /// A call on an older network stops data: it is suspended, or there is none while the call lasts.
    private mutating func updateSuspension(at: Int64) {
        guard hasTechnology else { return }
        if call.present, cellular.present == .none, network.present != .wifi {
            suspended.set(true, at: at)
        } else if !call.present || cellular.present.carriesData {
            suspended.set(false, at: at)
        }
    }

    /// After a start, the phone prints all states anew, and only those that are not off.
    private mutating func forgetAll(at: Int64) {
        for path in [\Self.screen, \.plugged, \.powerSave, \.mobileRadio, \.wifiRadio, \.running, \.call, \.radioOff] {
            self[keyPath: path].set(false, at: at)
        }
        doze.set(.off, at: at)
        topApp.set(-1, at: at)
        suspended.set(false, at: at)
        if hasTechnology { cellular.set(.none, at: at) }
        association = .away
        joiningSince = nil
        announced = nil
        phoneState = .inService
        wifiConnected.set(false, at: at)
        network.set(present, at: at)
        updateForeground(at: at)
    }

    // MARK: End

    mutating func finish(into day: inout PhoneDay) {
        let end = history.length
        for path in [
            \Self.screen, \.plugged, \.powerSave, \.mobileRadio, \.wifiRadio, \.running, \.call, \.radioOff,
            \.suspended,
            \.wifiConnected, \.foreground, \.front, \.locked,
        ] {
            self[keyPath: path].finish(at: end)
        }
        network.finish(at: end)
        cellular.finish(at: end)
        doze.finish(at: end)
        topApp.finish(at: end)
        signalBars.finish(at: end)
        day.network = network
        day.cellular = cellular
        day.radioOff = radioOff
        day.suspended = suspended
        day.call = call
        day.doze = doze
        day.screen = screen
        day.plugged = plugged
        day.powerSave = powerSave
        day.mobileRadio = mobileRadio
        day.wifiRadio = wifiRadio
        day.wifiConnected = wifiConnected
        day.running = running
        day.foreground = foreground
        day.front = front
        day.locked = locked
        day.signalBars = signalBars
        day.roams = roams
        day.pushes = pushes
        day.jobEnds = jobEnds
        day.restarts = restarts
        day.appIsKnown = package >= 0
        day.topApps = apps()
    }

    /// Apps by the time in which they were in front with the screen on.
    private func apps() -> [(package: String, time: Int64)] {
        var times: [Int32: Int64] = [:]
        Lane.pairs(topApp, screen) { start, end, app, isOn in
            if app >= 0, isOn { times[app, default: 0] += end - start }
        }
        let named = times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return named.map { (history.packages[Int($0.key)], $0.value) }
    }
}
