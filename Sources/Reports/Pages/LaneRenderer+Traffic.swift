import DeadzoneBase

extension LaneRenderer {
    /// Packet lane: vertical lines, up for sent and down for received, as high as the logarithm of the bytes.
    var packets: DrawnLane {
        let middle = 130
        let step = step(history.packets.count, atMost: Self.maxPackets)
        var paths = [BarPath(), BarPath(), BarPath(), BarPath()]
        // One line for each kind in a step: the largest packet.
        var (cell, best): (Int64, [(at: Int64, bytes: Int64)?]) = (-1, [nil, nil, nil, nil])
        func flush() {
            for (kind, packet) in best.enumerated() {
                guard let packet else { continue }
                let height = min(120, max(15, Int(ChartScale.log2(Double(max(packet.bytes, 32))) * 11.5) - 40))
                paths[kind].stick(axis(packet.at), from: middle, to: kind < 2 ? middle - height : middle + height)
            }
            best = [nil, nil, nil, nil]
        }
        for packet in history.packets {
            let kind = (packet.direction == .up ? 0 : 2) + (packet.cause == .payload ? 0 : 1)
            let number = step == 0 ? -1 : packet.at / step
            if step == 0 || number != cell { flush() }
            cell = number
            if best[kind].map({ $0.bytes < packet.bytes }) ?? true { best[kind] = (packet.at, packet.bytes) }
        }
        flush()
        return DrawnLane(
            name: "Packets ↑ ↓",
            meaning:
                "Packets up and down; the height is the logarithm of the bytes. Blue: messages. Grey: other traffic.",
            height: 26,
            drawing: paths[1].svg("q-other") + paths[3].svg("q-other") + paths[0].svg("q-payload")
                + paths[2].svg("q-payload"), key: "packets")
    }

    /// Message lane: a line from the sender's edge to the receiver's edge. The longer a message took, the flatter the
    /// line.
    var messages: DrawnLane {
        let (server, phone) = (10, 230)
        let step = step(history.messages.count, atMost: Self.maxMessages)
        var (down, up, lost) = (BarPath(), BarPath(), BarPath())
        var (cell, worst): (Int64, [PhoneHistory.HistoryMessage?]) = (-1, [nil, nil])
        func flush() {
            for message in worst {
                guard let message, let seen = message.seen else { continue }
                if message.direction == .down {
                    down.slope(axis(message.sent), server, axis(seen), phone)
                } else {
                    up.slope(axis(message.sent), phone, axis(seen), server)
                }
            }
            worst = [nil, nil]
        }
        for message in history.messages {
            guard let seen = message.seen else { continue }
            let number = step == 0 ? -1 : message.sent / step
            if step == 0 || number != cell { flush() }
            cell = number
            let kind = Int(message.direction.rawValue)
            let known = worst[kind].flatMap { known in known.seen.map { $0 - known.sent } } ?? -1
            if seen - message.sent > known { worst[kind] = message }
        }
        flush()
        for direction in Direction.allCases {
            let unseen = history.messages.filter { $0.seen == nil && $0.direction == direction }
            let edge = direction == .down ? server : phone
            for period in thinned(unseen.map { PhoneHistory.Period(start: $0.sent, end: $0.sent, value: 0) }) {
                lost.stick(axis(period.start), from: edge, to: edge + (direction == .down ? 90 : -90))
            }
        }
        return DrawnLane(
            name: "Messages",
            meaning:
                "From sent to seen: server above, phone below. A vertical line is an immediate delivery. Thick stubs never arrived.",
            height: 24, drawing: down.svg("m-down") + up.svg("m-up") + lost.svg("m-lost"), key: "messages")
    }

    /// Energy lane: cumulative joules.
    var energy: DrawnLane {
        let height = 300
        let points = history.energyPoints
        let step = step(points.count, atMost: Self.maxPoints)
        var line = BarPath()
        line.move(0, height)
        var (last, shown): (Int64, Int) = (-1, -1)
        for (index, point) in points.enumerated() {
            let cell = step == 0 ? Int64(index) : point.at / step
            let next = index + 1 < points.count ? (step == 0 ? Int64(index + 1) : points[index + 1].at / step) : -2
            guard cell != next || cell != last else { continue }
            last = cell
            shown = index
            line.line(axis(point.at), height - Int(point.joules / joules * Double(height)))
        }
        guard shown >= 0 else { return DrawnLane(name: "", meaning: "", height: 0, drawing: "", key: "energy") }
        return DrawnLane(
            name: "Joules so far",
            meaning: "Energy of radios and processor; the full height is \(Markup.coordinate(joules)) J.",
            height: 30,
            drawing:
                "<path class=\"e-area\" d=\"\(line.text)V\(height)z\"/><path class=\"e-line\" d=\"\(line.text)\"/>\n",
            key: "energy")
    }
}
