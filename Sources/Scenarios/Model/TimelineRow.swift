import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

/// One word of a timeline: how it is read, what it comes to, and what else there is to know of it. Everything that can be said is
/// one row of `all`; whoever reads, checks or compiles a timeline goes through them.
struct TimelineRow: Sendable {
    enum Trait: Sendable {
        /// Networks come and go: one such change after the other.
        case ofNetwork
        /// The server is the same for every phone.
        case ofServer
        /// Only an operating system makes anything of it.
        case needsSystem
    }

    let word: String
    let traits: [Trait]
    let read: @Sendable (inout SettingsReader, Manner) -> [Saying]

    /// - Parameters:
    ///   - read: What stands behind the word; nil: the word is not there.
    ///   - isOver: It is over after a while, or an event and no state: whoever never meets it is where the others are.
    ///   - start: What it says of where the phone begins.
    init<Value: Sendable>(
        _ word: String, _ traits: Trait..., read: @escaping @Sendable (inout SettingsReader, String) -> Value?,
        isOver: @escaping @Sendable (Value, Manner) -> Bool = { _, _ in false },
        start: @escaping @Sendable (Value) -> Saying.Start? = { _ in nil },
        apply:
            @escaping @Sendable (inout TimelineCompiler, Value, Manner, TimelineCompiler.Occurrence, TimelineLine) ->
            Void
    ) {
        self.word = word
        self.traits = traits
        self.read = { settings, manner in
            guard let value = read(&settings, word) else { return [] }
            let isDrawn = (manner.length?.spread ?? .zero) > .zero
            let saying = Saying(
                word: word, traits: traits, leavesNothing: isOver(value, manner), isDrawn: isDrawn, start: start(value)
            ) {
                apply(&$0, value, manner, $1, $2)
            }
            return [saying]
        }
    }

    static let all = networks + disturbances + signal + server + phone

    /// For what is always over at once, or after its time.
    @Sendable static func always<Value>(_: Value, _: Manner) -> Bool { true }
}

/// What a line says by one word; several things can be said of one moment.
struct Saying: Sendable {
    enum Start: Hashable {
        case somewhere
        case not(on: Interface)
    }

    let word: String
    let traits: [TimelineRow.Trait]
    let leavesNothing: Bool
    /// Its `for` is.
    let isDrawn: Bool
    let start: Start?
    let apply: @Sendable (inout TimelineCompiler, TimelineCompiler.Occurrence, TimelineLine) -> Void
}

// Networks that come and go.
extension TimelineRow {
    private static let networks =
        Interface.allCases.map(state) + [
            TimelineRow(
                "handoff", .ofNetwork,
                read: { $0.word($1, of: TimelineLine.interfaces, "the phone moves to this interface") },
                start: { _ in .somewhere }
            ) { $0.handOff(to: $1, $2, $3, $4) },
            TimelineRow(
                "airplane", .ofNetwork,
                read: {
                    $0.value(
                        $1, SpanRange.form(in: TimelineLine.anySpan), "every network goes, and comes back after so long"
                    )
                },
                isOver: always
            ) { $0.fly($1, $2.oldPath, $3, $4) },
            TimelineRow(
                "readdress", .ofNetwork,
                read: {
                    $0.word(
                        $1, of: TimelineLine.interfaces,
                        "the same network with another address, as after a new registration")
                }, isOver: always
            ) { if $0.isOn($1, $4) { $0.emit($3, .readdress($1, $2.oldPath)) } },
        ]

    /// Whether the phone joins a network of this interface, or leaves it.
    private static func state(of interface: Interface) -> TimelineRow {
        TimelineRow(
            interface.name, .ofNetwork, read: { settings, _ in TimelineLine.joins(interface, &settings) },
            start: { $0 ? .somewhere : .not(on: interface) }
        ) { compiler, joins, manner, event, line in
            if joins {
                compiler.join(interface, manner.attachment, event, line)
            } else {
                compiler.leave(interface, manner.oldPath, event, line)
            }
        }
    }
}

// What happens to networks that stay.
extension TimelineRow {
    private static let disturbances = [
        TimelineRow(
            "dead-zone",
            read: {
                $0.value(
                    $1, SpanRange.form(in: TimelineLine.anySpan),
                    "no signal for so long, while the network keeps its name")
            }, isOver: always
        ) { $0.darken($2.interface, $1, $3, $4) },
        TimelineRow(
            "wan-cut",
            read: {
                $0.value(
                    $1, SpanRange.form(in: TimelineLine.anySpan),
                    "the network is there and the internet is not, so long")
            }, isOver: always
        ) { $0.cutUplink($2.interface, $1, $3, $4) },
        TimelineRow(
            "one-way",
            read: {
                $0.word(
                    $1, of: [("up", Direction?.some(.up)), ("down", .down), ("off", nil)],
                    "only this direction still passes; off: both again")
            }, isOver: { $0 != nil && $1.length != nil }
        ) { $0.silence($1, $2.length, $2.interface, $3, $4) },
        TimelineRow(
            "roam",
            read: {
                $0.span(
                    $1, in: TimelineLine.anySpan,
                    "to another access point of the same Wi-Fi network; nothing passes for so long")
            }, isOver: always
        ) { if $0.isOn(.wifi, $4) { $0.darken(.wifi, SpanRange($1), $3, $4) } },
        TimelineRow("cell-handover", read: { settings, _ in TimelineLine.cellHandover(&settings) }, isOver: always) {
            if $0.isOn(.cellular, $4) { $0.emit($3, .cellHandover) }
        },
        TimelineRow(
            "technology",
            read: {
                $0.word(
                    $1, of: ["cellular", "lte", "nr", "umts"].map { ($0, $0) },
                    "which of the cellular profiles under phone: radios: the radio is from now on")
            }
        ) { $0.switchRadio(to: $1, $3, $4) },
        TimelineRow(
            "spurious",
            read: {
                $0.word(
                    $1, of: [("capabilities", Spurious.capabilities), ("available", .available), ("flap", .flap)],
                    "the system says something of the network that means nothing")
            }, isOver: always
        ) { compiler, rumour, manner, event, line in
            guard let interface = compiler.named(manner.interface, line), compiler.isOn(interface, line) else { return }
            compiler.emit(event, .spurious(interface, rumour))
        },
        TimelineRow(
            "conditions", read: { settings, _ in TimelineLine.conditions(&settings) },
            isOver: { $1.length != nil }
        ) { compiler, links, manner, event, line in
            for (interface, link) in links { compiler.setConditions(interface, link, manner.length, event, line) }
        },
        TimelineRow("access", read: { settings, _ in TimelineLine.access(&settings) }) {
            $0.setAccess($1, $2.interface, $3, $4)
        },
        TimelineRow(
            "nat", read: { $0.word($1, of: [("forget", true)], "middleboxes forget every mapping") }, isOver: always
        ) { compiler, _, manner, event, line in compiler.forgetMappings(manner.interface, event, line) },
    ]
}

// The server.
extension TimelineRow {
    private static let server = [
        TimelineRow(
            "server", .ofServer,
            read: {
                $0.word(
                    $1,
                    of: [
                        ("frozen", TimelineLine.ServerWord.frozen), ("down", .down), ("up", .up), ("drain", .drain),
                        ("refuses-logins", .refusesLogins),
                    ],
                    "frozen: connections are taken and nothing is answered; down: refused and reset; drain: ended in order; refuses-logins: set up and sent away; up"
                )
            }
        ) { $0.setServer($1, $2.length, $3, $4) },
        TimelineRow("instance", .ofServer, read: { settings, _ in TimelineLine.instance(&settings) }) {
            $0.setInstance($1.number, $1.1, $2.length, $3, $4)
        },
        TimelineRow("deploy", .ofServer, read: { settings, _ in TimelineLine.deploy(&settings) }) {
            compiler, deploy, _, event, _ in compiler.emit(event, .deploy(deploy))
        },
        TimelineRow(
            "dns",
            read: { $0.word($1, of: [("down", false), ("up", true)], "names resolve no longer, or again") },
            isOver: { !$0 && $1.length != nil }
        ) { $0.setNames($1, $2.length, $3, $4) },
    ]
}

// The phone, its system and its user.
extension TimelineRow {
    private static let phone = [
        TimelineRow(
            "app",
            read: { $0.word($1, of: [("foreground", true), ("background", false)], "where the app is") }
        ) { compiler, isInFront, _, event, line in compiler.setApp(foreground: isInFront, event, line) },
        TimelineRow("screen", .needsSystem, read: { $0.word($1, of: [("on", true), ("off", false)], "of the phone") }) {
            $0.set(\.screen, $1, "the screen is \($1 ? "on" : "off")", .screen($1), $3, $4)
        },
        TimelineRow(
            "charging", .needsSystem,
            read: { $0.word($1, of: [("on", true), ("off", false)], "whether the phone is on its charger") }
        ) { $0.set(\.charging, $1, "charging is \($1 ? "on" : "off")", .charging($1), $3, $4) },
        TimelineRow(
            "motion", .needsSystem,
            read: { $0.word($1, of: [("moving", true), ("still", false)], "whether the phone is carried about") }
        ) { $0.set(\.moving, $1, "the phone is \($1 ? "moving" : "still")", .moving($1), $3, $4) },
        TimelineRow(
            "battery-saver", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("on", true), ("off", false)],
                    "the app is told; on Android deep Doze comes soon, whatever moves")
            }
        ) { $0.set(\.saving, $1, "battery saver is \($1 ? "on" : "off")", .saving($1), $3, $4) },
        TimelineRow(
            "alarm-clock", .needsSystem,
            read: {
                $0.span(
                    $1, in: TimelineLine.anySpan,
                    "when the user's alarm clock rings, from the beginning: Doze ends before it")
            }
        ) { $0.setAlarmClock($1, $3, $4) },
        TimelineRow(
            "clock", .needsSystem,
            read: {
                $0.span(
                    $1, in: TimeSpan.zero - .hours(24 * 366) ... .hours(24 * 366),
                    "the time of day is set so much forward: +1h, -30m")
            }, isOver: always
        ) { compiler, shift, _, event, line in
            if shift == .zero { return compiler.note(.contradiction, line, "the clock is set by nothing") }
            compiler.emit(event, .clockSet(shift))
        },
        TimelineRow(
            "push", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("high", true), ("normal", false)], "the server asks the push service to wake the app")
            }, isOver: always
        ) { compiler, isUrgent, _, event, _ in compiler.emit(event, .push(urgent: isUrgent)) },
        TimelineRow(
            "kill", .needsSystem,
            read: {
                $0.word(
                    $1, of: [("app", false), ("force-stop", true)],
                    "the system ends the app's process; force-stop: the user ends it, and alone starts it again")
            }, isOver: { forGood, _ in !forGood }
        ) { compiler, forGood, _, event, _ in compiler.kill(forGood: forGood, event) },
        TimelineRow("chaos", .ofNetwork, read: { settings, _ in settings.chaos() }) { $0.rage($1, $3, $4) },
        TimelineRow(
            "freeze-ui",
            read: { $0.span($1, in: TimelineLine.anySpan, "the app's consumer stands still for so long") },
            isOver: always
        ) { compiler, span, _, event, _ in compiler.emit(event, .consumerStall(span)) },
    ]
}
