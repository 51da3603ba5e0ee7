import DeadzonePrimitives
import DeadzoneTraces

extension LaneArtist {
    /// Sticks, up and down from the middle, as high as the logarithm of the bytes.
    var packets: DrawnLane {
        let middle = 130
        let step = step(story.packets.count, atMost: Self.mostPackets)
        var paths = [BarPath(), BarPath(), BarPath(), BarPath()]
        // One stick for each kind in a step: the largest packet.
        var (cell, best): (Int64, [(at: Int64, bytes: Int64)?]) = (-1, [nil, nil, nil, nil])
        func flush() {
            for (kind, packet) in best.enumerated() {
                guard let packet else { continue }
                let height = min(120, max(15, Int(Scale.log2(Double(max(packet.bytes, 32))) * 11.5) - 40))
                paths[kind].stick(axis(packet.at), from: middle, to: kind < 2 ? middle - height : middle + height)
            }
            best = [nil, nil, nil, nil]
        }
        for packet in story.packets {
            let kind = (packet.direction == .up ? 0 : 2) + (packet.cause == .payload ? 0 : 1)
            let number = step == 0 ? -1 : packet.at / step
            if step == 0 || number != cell { flush() }
            cell = number
            if best[kind].map({ $0.bytes < packet.bytes }) ?? true { best[kind] = (packet.at, packet.bytes) }
        }
        flush()
        return DrawnLane(
            name: "Packets ↑ ↓",
            meaning: "Up and down, as high as the logarithm of their bytes. Blue: messages. Grey: everything else.",
            height: 26,
            drawing: paths[1].svg("q-other") + paths[3].svg("q-other") + paths[0].svg("q-payload")
                + paths[2].svg("q-payload"), key: "packets")
    }

    /// From the server's edge to the phone's, or back: the longer it took, the flatter.
    var messages: DrawnLane {
        let (server, phone) = (10, 230)
        let step = step(story.messages.count, atMost: Self.mostMessages)
        var (down, up, lost) = (BarPath(), BarPath(), BarPath())
        var (cell, worst): (Int64, [Story.Message?]) = (-1, [nil, nil])
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
        for message in story.messages {
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
            let unseen = story.messages.filter { $0.seen == nil && $0.direction == direction }
            let edge = direction == .down ? server : phone
            for period in kept(unseen.map { Story.Period(start: $0.sent, end: $0.sent, value: 0) }) {
                lost.stick(axis(period.start), from: edge, to: edge + (direction == .down ? 90 : -90))
            }
        }
        return DrawnLane(
            name: "Messages",
            meaning:
                "From sent to seen: the server above, the phone below. Upright is at once. Thick stubs never came in this run.",
            height: 24, drawing: down.svg("m-down") + up.svg("m-up") + lost.svg("m-lost"), key: "messages")
    }

    /// Joules so far.
    var energy: DrawnLane {
        let height = 300
        let points = story.energy
        let step = step(points.count, atMost: Self.mostPoints)
        var line = "M0 \(height)"
        var (last, shown): (Int64, Int) = (-1, -1)
        for (index, point) in points.enumerated() {
            let cell = step == 0 ? Int64(index) : point.at / step
            let next = index + 1 < points.count ? (step == 0 ? Int64(index + 1) : points[index + 1].at / step) : -2
            guard cell != next || cell != last else { continue }
            last = cell
            shown = index
            line += "L\(axis(point.at)) \(height - Int(point.joules / joules * Double(height)))"
        }
        guard shown >= 0 else { return DrawnLane(name: "", meaning: "", height: 0, drawing: "", key: "energy") }
        return DrawnLane(
            name: "Joules so far", meaning: "Of radios and processor; the whole height is \(Markup.place(joules)) J.",
            height: 30,
            drawing: "<path class=\"e-area\" d=\"\(line)V\(height)z\"/><path class=\"e-line\" d=\"\(line)\"/>\n",
            key: "energy")
    }
}
