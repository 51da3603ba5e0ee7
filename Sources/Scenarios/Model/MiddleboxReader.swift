import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneWorld

extension SettingsReader {
    /// `middleboxes: {cellular: [carrier-nat-300], server: [{idle: 350s, manner: reset}]}`
    mutating func middleboxes() -> Middleboxes {
        group("middleboxes", "boxes on the path that forget a connection which says nothing for too long") { settings in
            var boxes = Middleboxes()
            boxes.wifi = settings.boxes("wifi", "behind the Wi-Fi, from the phone outwards")
            boxes.cellular = settings.boxes("cellular", "behind the base station, from the phone outwards")
            boxes.server = settings.boxes("server", "before the server: firewalls and load balancers")
            let longest = max(boxes.wifi.count, boxes.cellular.count) + boxes.server.count
            if longest > MiddleboxPath.mostBoxes {
                settings.note(
                    Fault(
                        .wrongCount, at: settings.mark, width: 1, "\(longest) boxes on one path",
                        label: "at most \(MiddleboxPath.mostBoxes)"))
            }
            return boxes
        }
    }

    private mutating func boxes(_ key: String, _ help: String) -> [Middlebox] {
        let found = custom(key, help) {
            var reader = SettingsReader.describing("a middlebox")
            _ = reader.boxMap()
            let names = Middlebox.presets.map { Shape.Word(name: $0.name, about: $0.about) }
            return .list(.either([.word(names), reader.shape]), counts: 0...MiddleboxPath.mostBoxes)
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
        resolve(key, to: .list(boxes.map(\.node)))
        guard boxes.count <= MiddleboxPath.mostBoxes else {
            note(found.fault(.wrongCount, "\(boxes.count) boxes", label: "at most \(MiddleboxPath.mostBoxes)"))
            return []
        }
        return boxes
    }

    private mutating func boxMap() -> Middlebox {
        let spans = TimeSpan.milliseconds(1) ... .hours(24 * 366)
        var box =
            value("preset", Middlebox.form, "what the other settings start from").flatMap(Middlebox.named)
            ?? Middlebox()
        if let idle = span("idle", in: spans, "silence after which it forgets TCP and UDP alike") {
            box.tcp = idle
            box.udp = idle
        }
        box.tcp = span("tcp", in: spans, "for TCP alone; by default never") ?? box.tcp
        box.udp = span("udp", in: spans, "for UDP, QUIC included; by default never") ?? box.udp
        box.manner = word("manner", of: Middlebox.manners, "what becomes of packets then") ?? box.manner
        box.adoptsMidstream =
            flag("adopts-midstream", "a packet from the middle of a TCP connection makes a new mapping")
            ?? box.adoptsMidstream
        return box
    }
}

extension Middlebox {
    fileprivate static let form = Form<String>.word(presets.map { ($0.name, $0.name) }, noun: "middlebox")
    fileprivate static let manners: [(String, Manner)] = [
        ("drop", .drop), ("reset", .reset), ("one-way", .oneWay), ("close", .close),
    ]

    /// In full, as `--print-resolved` shows it.
    var node: Node {
        var entries = [
            Node.Entry(key: "adopts-midstream", value: .text(adoptsMidstream ? "true" : "false")),
            Node.Entry(key: "manner", value: .text(Self.manners.first { $0.1 == manner }?.0 ?? "")),
        ]
        let span = Form<TimeSpan>.span()
        if tcp != .longest { entries.append(.init(key: "tcp", value: span.write(tcp))) }
        if udp != .longest { entries.append(.init(key: "udp", value: span.write(udp))) }
        return .map(entries)
    }
}

extension Middleboxes {
    var node: Node? {
        guard self != Middleboxes() else { return nil }
        return .map([
            .init(key: "cellular", value: .list(cellular.map(\.node))),
            .init(key: "server", value: .list(server.map(\.node))),
            .init(key: "wifi", value: .list(wifi.map(\.node))),
        ])
    }
}
