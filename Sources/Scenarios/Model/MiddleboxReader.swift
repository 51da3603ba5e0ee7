import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

extension SettingsReader {
    /// Reads middleboxes: `middleboxes: {cellular: [carrier-nat-300], server: [{idle: 350s, manner: reset}]}`.
    /// - Parameter links: The usual link of each interface. No mapping may be shorter than the round trip over it.
    mutating func middleboxes(of phone: PhoneSketch, over links: [LinkProfile]) -> Middleboxes {
        func roundTrip(_ interface: Interface) -> TimeSpan? {
            guard phone.radios.contains(interface) else { return nil }
            return links[interface.index].up.floor + links[interface.index].down.floor
        }
        let help = "middleboxes on the path, which forget connections after a long silence"
        return group("middleboxes", help) { settings in
            var boxes = Middleboxes()
            boxes.wifi = settings.boxes(
                "wifi", "behind the Wi-Fi access point, in order from the phone", roundTrip(.wifi))
            boxes.cellular = settings.boxes(
                "cellular", "behind the base station, in order from the phone", roundTrip(.cellular))
            if !settings.isDescribing { settings.refuseWithoutRadio(phone) }
            for interface in Interface.further where settings.isDescribing || phone.radios.contains(interface) {
                let own = settings.boxes(
                    interface.name, "behind the \(interface.title) network, in order from the phone",
                    roundTrip(interface))
                if !own.isEmpty { boxes.set(own, of: interface) }
            }
            boxes.server = settings.boxes(
                "server", "in front of the server: firewalls and load balancers",
                phone.radios.compactMap(roundTrip).max())
            let longest = (Interface.allCases.map { boxes.own($0).count }.max() ?? 0) + boxes.server.count
            if longest > MiddleboxPath.maxBoxes {
                settings.note(
                    Fault(
                        .wrongCount, at: settings.mark, width: 1, "\(longest) middleboxes on one path",
                        label: "at most \(MiddleboxPath.maxBoxes)"))
            }
            return boxes
        }
    }

    private mutating func boxes(_ key: String, _ help: String, _ roundTrip: TimeSpan?) -> [Middlebox] {
        let found = custom(key, help) {
            var reader = SettingsReader.describing("a middlebox")
            _ = reader.boxMap()
            let names = Middlebox.presets.map { Shape.Keyword(name: $0.name, about: $0.about) }
            return .list(.either([.word(names), reader.shape]), counts: 0...MiddleboxPath.maxBoxes)
        }
        guard let found else { return [] }
        guard let items = found.items else {
            note(found.wrongType("a list"))
            return []
        }
        let boxes = items.compactMap { item -> Middlebox? in
            if item.entries != nil { return read(item, of: "a middlebox") { $0.boxMap() }.value }
            return parse(item, Middlebox.form).flatMap(Middlebox.named)
        }
        if let roundTrip, boxes.count == items.count { refuseShorter(than: roundTrip, items, boxes) }
        resolve(key, to: .list(boxes.map(\.node)))
        guard boxes.count <= MiddleboxPath.maxBoxes else {
            note(found.fault(.wrongCount, "\(boxes.count) middleboxes", label: "at most \(MiddleboxPath.maxBoxes)"))
            return []
        }
        return boxes
    }

    /// Notes a fault for each middlebox that forgets a connection before a packet and its answer have crossed the link.
    private mutating func refuseShorter(than roundTrip: TimeSpan, _ items: [Node], _ boxes: [Middlebox]) {
        for (item, box) in zip(items, boxes) {
            let idle = [("tcp", box.tcp), ("udp", box.udp)].filter { $0.1 != Middlebox.blocked && $0.1 < roundTrip }
            guard let (key, shortest) = idle.first else { continue }
            let node = item[key] ?? item["idle"] ?? item["preset"] ?? item
            note(
                node.fault(
                    .contradiction,
                    "a mapping of \(QuantityKind.span.text(shortest.nanoseconds)) is shorter than the round trip of "
                        + QuantityKind.span.text(roundTrip.nanoseconds),
                    label: "the next packet finds no mapping" + (key == "udp" ? "; `udp: blocked` blocks UDP" : "")))
        }
    }

    private mutating func boxMap() -> Middlebox {
        let spans = TimeSpan.milliseconds(1) ... .hours(24 * 366)
        var box =
            value("preset", Middlebox.form, "preset that supplies the values of all other settings").flatMap(
                Middlebox.named)
            ?? Middlebox()
        if let idle = span("idle", in: spans, "silence after which it forgets a connection, both TCP and UDP") {
            box.tcp = idle
            if box.udp != Middlebox.blocked { box.udp = idle }
        }
        box.tcp = span("tcp", in: spans, "the same for TCP only; default: never") ?? box.tcp
        box.udp =
            value(
                "udp", .idleOrBlocked(in: spans),
                "the same for UDP only, including QUIC; blocked: no UDP packet passes; default: never") ?? box.udp
        box.expiryAction =
            word("manner", of: Middlebox.manners, "treatment of packets without a mapping") ?? box.expiryAction
        box.adoptsMidstream =
            flag("adopts-midstream", "a packet from the middle of a TCP connection creates a new mapping")
            ?? box.adoptsMidstream
        return box
    }
}

extension ValueFormat where Value == TimeSpan {
    /// Shortest idle timeout of UDP that lets an answer pass. A shorter one blocks UDP in effect.
    private static var shortestIdle: TimeSpan { .milliseconds(10) }

    /// An idle timeout, or the word `blocked`.
    fileprivate static func idleOrBlocked(in range: ClosedRange<TimeSpan>) -> ValueFormat {
        let (word, idle) = (ValueFormat.word([("blocked", Middlebox.blocked)]), span(in: range))
        return ValueFormat(
            "\(idle.expected), or \(word.expected)", shape: { .either([word.shape(), idle.shape()]) },
            read: { node, faults in
                let isWord = node.scalar?.utf8.first.map { 97...122 ~= $0 } ?? false
                guard !isWord else { return word.read(node, &faults) }
                guard let read = idle.read(node, &faults) else { return nil }
                guard read < shortestIdle else { return read }
                faults.note(
                    node.fault(
                        .outOfRange, "\(quote(node.scalar ?? "")) is shorter than a round trip",
                        label: "write `udp: blocked` to block UDP, or at least 10ms"))
                return nil
            }, write: { $0 == Middlebox.blocked ? word.write($0) : idle.write($0) })
    }
}

extension Middlebox {
    fileprivate static let form = ValueFormat<String>.word(presets.map { ($0.name, $0.name) }, noun: "middlebox")
    fileprivate static let manners: [(String, ExpiryAction)] = [
        ("drop", .drop), ("reset", .reset), ("one-way", .oneWay), ("close", .close),
    ]

    /// The complete middlebox, as `--print-resolved` shows it.
    var node: Node {
        var entries = [
            Node.MapEntry(key: "adopts-midstream", value: .text(adoptsMidstream ? "true" : "false")),
            Node.MapEntry(key: "manner", value: .text(Self.manners.first { $0.1 == expiryAction }?.0 ?? "")),
        ]
        let span = ValueFormat<TimeSpan>.span()
        if tcp != .longest { entries.append(.init(key: "tcp", value: span.write(tcp))) }
        if udp == Self.blocked {
            entries.append(.init(key: "udp", value: .text("blocked")))
        } else if udp != .longest {
            entries.append(.init(key: "udp", value: span.write(udp)))
        }
        return .map(entries)
    }
}

extension Middleboxes {
    var node: Node? {
        guard self != Middleboxes() else { return nil }
        let own = Interface.further.filter { !self.own($0).isEmpty }.map { interface in
            Node.MapEntry(key: interface.name, value: .list(self.own(interface).map(\.node)))
        }
        return .map(
            own + [
                .init(key: "cellular", value: .list(cellular.map(\.node))),
                .init(key: "server", value: .list(server.map(\.node))),
                .init(key: "wifi", value: .list(wifi.map(\.node))),
            ])
    }
}
