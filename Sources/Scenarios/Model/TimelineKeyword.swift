import DeadzoneBase
import DeadzoneSimulator

/// Defines how one keyword of a scenario's timeline is read, compiled and checked. `all` has one row per keyword; all
/// code that reads, checks or compiles timelines uses these rows.
struct TimelineKeyword: Sendable {
    enum Trait: Sendable {
        /// Changes the phone's network. Such changes must not overlap.
        case ofNetwork
        /// Changes the server, which is the same for every phone.
        case ofServer
        /// Has an effect only with an operating system.
        case needsSystem
    }

    let word: String
    let traits: [Trait]
    let read: @Sendable (inout SettingsReader, TimelineModifiers) -> [TimelineAction]

    /// - Parameters:
    ///   - read: Reads the value of the keyword; `nil` if the keyword is missing.
    ///   - isTransient: `true` if the change ends by itself or is an event without state. Phones that skip it are then
    ///     in the same state as the others.
    ///   - start: Information about the phone's network at the start.
    init<Value: Sendable>(
        _ word: String, _ traits: Trait..., read: @escaping @Sendable (inout SettingsReader, String) -> Value?,
        isTransient: @escaping @Sendable (Value, TimelineModifiers) -> Bool = { _, _ in false },
        start: @escaping @Sendable (Value) -> TimelineAction.InitialNetwork? = { _ in nil },
        apply:
            @escaping @Sendable (
                inout TimelineCompiler, Value, TimelineModifiers, TimelineCompiler.Occurrence, TimelineLine
            ) ->
            Void
    ) {
        self.word = word
        self.traits = traits
        self.read = { settings, modifiers in
            guard let value = read(&settings, word) else { return [] }
            let isDrawn = (modifiers.length?.spread ?? .zero) > .zero
            let action = TimelineAction(
                word: word, traits: traits, isTransient: isTransient(value, modifiers), isDrawn: isDrawn,
                start: start(value)
            ) {
                apply(&$0, value, modifiers, $1, $2)
            }
            return [action]
        }
    }

    static let all = networks + disturbances + signal + server + phone

    /// For keywords that are always transient.
    @Sendable static func always<Value>(_: Value, _: TimelineModifiers) -> Bool { true }
}

/// The change that one keyword causes in one timeline entry. An entry may have several actions.
struct TimelineAction: Sendable {
    enum InitialNetwork: Hashable {
        case specified
        case excluded(on: Interface)
    }

    let word: String
    let traits: [TimelineKeyword.Trait]
    let isTransient: Bool
    /// `true` if the length (`for`) is random.
    let isDrawn: Bool
    let start: InitialNetwork?
    let apply: @Sendable (inout TimelineCompiler, TimelineCompiler.Occurrence, TimelineLine) -> Void
}

// Changes of the phone's network.
extension TimelineKeyword {
    private static let networks =
        Interface.allCases.map(state) + [
            TimelineKeyword(
                "handoff", .ofNetwork,
                read: { $0.word($1, of: TimelineLine.interfaces, "moves the phone to this interface") },
                start: { _ in .specified }
            ) { $0.handOff(to: $1, $2, $3, $4) },
            TimelineKeyword(
                "airplane", .ofNetwork,
                read: {
                    $0.value(
                        $1, SpanRange.form(in: TimelineLine.anySpan),
                        "loss of all networks; they come back after this duration"
                    )
                },
                isTransient: always
            ) { $0.useAirplaneMode($1, $2.lossSignal, $3, $4) },
            TimelineKeyword(
                "readdress", .ofNetwork,
                read: {
                    $0.word(
                        $1, of: TimelineLine.interfaces,
                        "new address on the same network, as after a new registration")
                }, isTransient: always
            ) { if $0.isOn($1, $4) { $0.emit($3, .readdress($1, $2.lossSignal)) } },
        ]

    /// Joins or leaves a network of this interface.
    private static func state(of interface: Interface) -> TimelineKeyword {
        TimelineKeyword(
            interface.name, .ofNetwork, read: { settings, _ in TimelineLine.joins(interface, &settings) },
            start: { $0 ? .specified : .excluded(on: interface) }
        ) { compiler, joins, modifiers, event, line in
            if joins {
                compiler.joinNetwork(interface, modifiers.attachment, event, line)
            } else {
                compiler.leaveNetwork(interface, modifiers.lossSignal, event, line)
            }
        }
    }
}

// Disturbances of networks that stay up.
extension TimelineKeyword {
    private static let disturbances = [
        TimelineKeyword(
            "dead-zone",
            read: {
                $0.value(
                    $1, SpanRange.form(in: TimelineLine.anySpan),
                    "duration without signal; the interface stays connected")
            }, isTransient: always
        ) { $0.startDeadZone($2.interface, $1, $3, $4) },
        TimelineKeyword(
            "wan-cut",
            read: {
                $0.value(
                    $1, SpanRange.form(in: TimelineLine.anySpan),
                    "duration without internet; the network stays connected")
            }, isTransient: always
        ) { $0.cutUplink($2.interface, $1, $3, $4) },
        TimelineKeyword(
            "one-way",
            read: {
                $0.word(
                    $1, of: [("up", Direction?.some(.up)), ("down", .down), ("off", nil)],
                    "only this direction passes packets; off: both directions again")
            }, isTransient: { $0 != nil && $1.length != nil }
        ) { $0.setOneWay($1, $2.length, $2.interface, $3, $4) },
        TimelineKeyword(
            "roam",
            read: {
                $0.span(
                    $1, in: TimelineLine.anySpan,
                    "change to another access point of the same Wi-Fi network; duration without packets")
            }, isTransient: always
        ) { if $0.isOn(.wifi, $4) { $0.startDeadZone(.wifi, SpanRange($1), endsBy: .roamed, $3, $4) } },
        TimelineKeyword(
            "cell-handover", read: { settings, _ in TimelineLine.cellHandover(&settings) }, isTransient: always
        ) {
            if $0.isOn(.cellular, $4) { $0.emit($3, .cellHandover) }
        },
        TimelineKeyword(
            "technology",
            read: {
                $0.word(
                    $1, of: ["cellular", "lte", "nr", "umts"].map { ($0, $0) },
                    "cellular profile under phone: radios: that the radio uses from now on")
            }
        ) { $0.switchRadio(to: $1, $3, $4) },
        TimelineKeyword(
            "spurious",
            read: {
                $0.word(
                    $1, of: [("capabilities", SpuriousEvent.capabilities), ("available", .available), ("flap", .flap)],
                    "a network event of the system that means no real change")
            }, isTransient: always
        ) { compiler, rumour, modifiers, event, line in
            guard let interface = compiler.namedInterface(modifiers.interface, line), compiler.isOn(interface, line)
            else { return }
            compiler.emit(event, .spurious(interface, rumour))
        },
        TimelineKeyword(
            "conditions", read: { settings, _ in TimelineLine.conditions(&settings) },
            isTransient: { $1.length != nil }
        ) { compiler, links, modifiers, event, line in
            for (interface, link) in links { compiler.setConditions(interface, link, modifiers.length, event, line) }
        },
        TimelineKeyword("access", read: { settings, _ in TimelineLine.access(&settings) }) {
            $0.setAccess($1, $2.interface, $3, $4)
        },
        TimelineKeyword(
            "nat", read: { $0.word($1, of: [("forget", true)], "middleboxes forget all mappings") }, isTransient: always
        ) { compiler, _, modifiers, event, line in compiler.forgetMappings(modifiers.interface, event, line) },
    ]
}

// The server.
extension TimelineKeyword {
    private static let server = [
        TimelineKeyword(
            "server", .ofServer,
            read: {
                $0.word(
                    $1,
                    of: [
                        ("frozen", TimelineLine.ServerWord.frozen), ("down", .down), ("up", .up), ("drain", .drain),
                        ("refuses-logins", .refusesLogins), ("moves", .moves),
                    ],
                    "frozen: accepts connections, answers nothing; down: refuses and resets connections; drain: closes them normally; refuses-logins: accepts connections, refuses sessions; moves: continues at another address; up: normal operation; `for` limits the time: {server: down, for: 20s}"
                )
            }
        ) {
            if $1 == .moves { $0.moveServer($2, $3, $4) } else { $0.setServer($1, $2.length, $3, $4) }
        },
        TimelineKeyword(
            "peer", .ofServer,
            read: {
                $0.word(
                    $1, of: PeerChange.allCases.map { ($0.name, $0) },
                    "the direct path to the peer; moves: the peer has another address, and paths opened before are dead; blocked: nothing passes directly; open: it passes again"
                )
            }, isTransient: { word, _ in word == .moves }
        ) { compiler, change, _, event, line in compiler.changePeer(change, event, line) },
        TimelineKeyword("instance", .ofServer, read: { settings, _ in TimelineLine.instance(&settings) }) {
            $0.setInstance($1.number, $1.1, $2.length, $3, $4)
        },
        TimelineKeyword("deploy", .ofServer, read: { settings, _ in TimelineLine.deploy(&settings) }) {
            compiler, deploy, _, event, _ in compiler.emit(event, .deploy(deploy))
        },
        TimelineKeyword(
            "server-version", .ofServer,
            read: { $0.text($1, "name under server: versions: with the rules from now on, or usual") }
        ) { $0.setServerVersion($1, $3, $4) },
        TimelineKeyword(
            "streams", .ofServer, read: { settings, _ in TimelineLine.streams(&settings) }, isTransient: always
        ) { compiler, end, _, event, _ in compiler.emit(event, .subscriptionsEnded(end)) },
        TimelineKeyword(
            "dns",
            read: {
                $0.word($1, of: [("down", false), ("up", true)], "down: names do not resolve; up: they resolve again")
            },
            isTransient: { !$0 && $1.length != nil }
        ) { $0.setNames($1, $2.length, $3, $4) },
    ]
}

// The phone, its operating system and its user.
extension TimelineKeyword {
    private static let phone = [
        TimelineKeyword(
            "app",
            read: {
                $0.word(
                    $1, of: [("foreground", true), ("background", false)],
                    "moves the app to the foreground or background")
            }
        ) { compiler, isInFront, _, event, line in compiler.setApp(foreground: isInFront, event, line) },
        TimelineKeyword(
            "screen", .needsSystem,
            read: { $0.word($1, of: [("on", true), ("off", false)], "turns the screen on or off") }
        ) {
            $0.set(\.screen, $1, "the screen is \($1 ? "on" : "off")", .screen($1), $3, $4)
        },
        TimelineKeyword(
            "charging", .needsSystem,
            read: { $0.word($1, of: [("on", true), ("off", false)], "connects or disconnects the charger") }
        ) { $0.set(\.charging, $1, "charging is \($1 ? "on" : "off")", .charging($1), $3, $4) },
        TimelineKeyword(
            "motion", .needsSystem,
            read: { $0.word($1, of: [("moving", true), ("still", false)], "whether the phone is moving") }
        ) { $0.set(\.moving, $1, "the phone is \($1 ? "moving" : "still")", .moving($1), $3, $4) },
        TimelineKeyword(
            "battery-saver", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("on", true), ("off", false)],
                    "battery saver; the system reports it to the app; Android closes the network in the background, defers "
                        + "alarms and jobs, and enters deep Doze soon, even in motion"
                )
            }
        ) { $0.set(\.saving, $1, "battery saver is \($1 ? "on" : "off")", .saving($1), $3, $4) },
        TimelineKeyword(
            "data-saver", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("on", true), ("off", false)],
                    "data saver: over metered networks, the app has no network in the background (Android)")
            }
        ) { $0.set(\.dataSaver, $1, "data saver is \($1 ? "on" : "off")", .dataSaver($1), $3, $4) },
        TimelineKeyword(
            "app-restriction", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("on", true), ("off", false)],
                    "the user restricts the app: no alarms, jobs and foreground service in the background (Android)")
            }
        ) {
            $0.set(
                \.restricted, $1, "the app is \($1 ? "restricted" : "not restricted")", .restriction($1), $3, $4)
        },
        TimelineKeyword(
            "alarm-clock", .needsSystem,
            read: { settings, key in
                settings.value(
                    key, .moment(in: TimelineLine.anySpan, startingAt: settings.startOfDay),
                    "time of the user's alarm clock, from the start or as a time of day; Doze ends before it")
            }
        ) { $0.setAlarmClock($1, $3, $4) },
        TimelineKeyword(
            "clock", .needsSystem,
            read: {
                $0.span(
                    $1, in: TimeSpan.zero - .hours(24 * 366) ... .hours(24 * 366),
                    "sets the time of day forward by this: +1h, -30m")
            }, isTransient: always
        ) { compiler, shift, _, event, line in
            if shift == .zero { return compiler.note(.contradiction, line, "the clock is set by zero") }
            compiler.emit(event, .clockSet(shift))
        },
        TimelineKeyword(
            "push", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("high", true), ("normal", false)], "the server requests a push that wakes the app")
            }, isTransient: always
        ) { compiler, isUrgent, _, event, _ in compiler.emit(event, .push(urgent: isUrgent)) },
        TimelineKeyword(
            "push-token", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("void", true)],
                    "the app's push token becomes void: pushes reach no app until it has sent the new one")
            }, isTransient: always
        ) { compiler, _, _, event, _ in compiler.emit(event, .pushTokenVoid) },
        TimelineKeyword(
            "kill", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("app", false), ("force-stop", true)],
                    "app: the system ends the app's process; force-stop: the user ends it, and only the user starts it again"
                )
            }, isTransient: { forGood, _ in !forGood }
        ) { compiler, forGood, _, event, _ in compiler.kill(forGood: forGood, event) },
        TimelineKeyword("chaos", .ofNetwork, read: { settings, _ in settings.chaos() }) { $0.applyChaos($1, $3, $4) },
        TimelineKeyword(
            "freeze-ui",
            read: { $0.span($1, in: TimelineLine.anySpan, "duration of a pause of the app's consumer") },
            isTransient: always
        ) { compiler, span, _, event, _ in compiler.emit(event, .consumerStall(span)) },
    ]
}
