import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// The send queue beside a plain list of items, and the rules by which it refuses them.
@Suite struct FrameQueueTests {
    private static let sizes = MessageSizes(.uniform(1, 900), dice: Dice(seed: 3, phone: PhoneID(0), purpose: .sizeUp))
    private static let framing = Framing(.webSocket, .tls13, .up)

    private static func bytes(_ kind: FrameKind, _ item: UInt32) -> UInt32 {
        kind == .message ? framing.message(sizes.bytes(of: item)) : kind == .ping || kind == .pong ? 28 : 40 + item % 7
    }

    /// Broken: an item is lost, delivered twice, too early, out of order among its kind, or with another size or cause.
    /// Items are written, sent, read and acknowledged in random steps; the model lists the size of every item.
    @Test func everyItemComesOutOnce() {
        var longest = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var queue = FrameQueue()
            var sizes: [FrameKind: [UInt32]] = [:]
            var (written, sent) = (UInt64(0), UInt64(0))
            var (read, known) = (ItemBoundary(), ItemBoundary())
            var (readItems, knownItems) = ([FrameKind: UInt32](), [FrameKind: UInt32]())
            func advance(_ boundary: inout ItemBoundary, _ items: inout [FrameKind: UInt32], to end: UInt64) {
                var before = boundary.offset
                while let range = queue.next(&boundary, upTo: end, Self.sizes, Self.framing) {
                    let first = items[range.kind, default: 0]
                    #expect(range.first == first * Self.step(range.kind), "seed \(seed)")
                    let last = range.last / Self.step(range.kind)
                    let bytes = sizes[range.kind, default: []][Int(first)..<Int(last)].reduce(0, +)
                    #expect(range.bytes == bytes && range.cause == Self.cause(range.kind), "seed \(seed)")
                    #expect(boundary.offset == before + UInt64(bytes) && boundary.offset <= end, "seed \(seed)")
                    items[range.kind] = last
                    before = boundary.offset
                }
            }
            for _ in 0..<160 {
                switch dice.next().scaled(below: 6) {
                case 0...3:
                    let kinds: [FrameKind] = [.message, .message, .ping, .pong, .call, .control, .answer, .receipt]
                    let kind = kinds[Int(dice.next().scaled(below: 8))]
                    let (number, step) = (UInt32(sizes[kind, default: []].count), Self.step(kind))
                    let size = Self.bytes(kind, number)
                    let range = FrameRange(
                        first: number * step, last: (number + 1) * step, bytes: size, kind: kind,
                        cause: Self.cause(kind))
                    let before = queue.count
                    guard queue.append(range, sent: sent) else {
                        #expect(before >= FrameQueue.limit(kind) && kind != .message && kind != .ping && kind != .pong)
                        continue
                    }
                    written += UInt64(size)
                    sizes[kind, default: []].append(size)
                    longest = max(longest, queue.count)
                case 4:
                    guard let part = queue.sendableRange(from: sent) else { continue }
                    #expect(sent < part.end && part.end <= written)
                    sent += 1 + dice.next().scaled(below: part.end - sent)
                default:
                    let readEnd = read.offset + dice.next().scaled(below: sent - min(read.offset, sent) + 1)
                    advance(&read, &readItems, to: readEnd)
                    let knownEnd = known.offset + dice.next().scaled(below: sent - min(known.offset, sent) + 1)
                    advance(&known, &knownItems, to: knownEnd)
                    queue.drop(before: min(read.offset, known.offset))
                    #expect(queue.start <= min(read.offset, known.offset))
                    if min(read.offset, known.offset) == written { #expect(queue.count == 0) }
                }
            }
            advance(&read, &readItems, to: written)
            #expect(read.offset == written && readItems == sizes.mapValues { UInt32($0.count) }, "seed \(seed)")
        }
        #expect(longest > FrameQueue.limit(.call), "the queue reaches its heap and its limits")
    }

    /// Numbers that one item of this kind takes: a receipt covers three messages here.
    private static func step(_ kind: FrameKind) -> UInt32 { kind == .receipt ? 3 : 1 }
    private static func cause(_ kind: FrameKind) -> Cause { kind == .message ? .payload : .keepalive }

    /// Broken: a group of kinds leaves no room for the next one, or takes less than its own.
    @Test func eachKindHasItsLimit() {
        let limits: [FrameKind: Int] = [
            .call: 10, .answer: 10, .refusal: 10, .snapshot: 10, .control: 11, .receipt: 11, .subscription: 11,
        ]
        for kind in FrameKind.allCases {
            #expect(FrameQueue.limit(kind) == limits[kind, default: 14])
            guard kind != .message && kind != .ping && kind != .pong && kind != .receipt else { continue }
            var queue = FrameQueue()
            var accepted = 0
            while accepted < 20,
                queue.append(
                    FrameRange(
                        first: UInt32(accepted * 2), last: UInt32(accepted * 2 + 1), bytes: 9, kind: kind,
                        cause: .payload),
                    sent: 0)
            { accepted += 1 }
            #expect(accepted == limits[kind, default: 14], "\(kind)")
        }
    }

    /// Broken: a range is extended that was sent, or an unsent one is not. Ranges of other kinds, causes or numbers are
    /// merged.
    @Test func onlyUnsentNeighboursAreMerged() {
        func range(_ first: UInt32, _ kind: FrameKind, _ cause: Cause = .payload, count: UInt32 = 1) -> FrameRange {
            FrameRange(first: first, last: first + count, bytes: 10 * count, kind: kind, cause: cause)
        }
        func count(_ ranges: [FrameRange], sent: UInt64 = 0) -> Int {
            var queue = FrameQueue()
            for range in ranges { _ = queue.append(range, sent: sent) }
            return queue.count
        }
        for kind in FrameKind.allCases {
            let isMerged = [.message, .ping, .pong, .receipt, .subscription].contains(kind)
            #expect(count([range(0, kind), range(1, kind)]) == (isMerged ? 1 : 2), "\(kind)")
        }
        #expect(count([range(0, .ping), range(2, .ping)]) == 2)
        #expect(count([range(0, .ping), range(1, .pong)]) == 2)
        #expect(count([range(0, .ping), range(1, .ping, .poll)]) == 2)
        // The last range may grow although a part of it was sent; an earlier one may not.
        #expect(count([range(0, .ping), range(1, .ping)], sent: 5) == 1)
        #expect(count([range(0, .ping), range(0, .message), range(1, .ping)], sent: 0) == 2)
        #expect(count([range(0, .ping), range(0, .message), range(1, .ping)], sent: 1) == 3)
        // A range has at most 65,535 items.
        #expect(count([range(0, .ping, count: 65_534), range(65_534, .ping)]) == 1)
        #expect(count([range(0, .ping, count: 65_535), range(65_535, .ping)]) == 2)
        let heavy = FrameRange(first: 0, last: 1, bytes: 1 << 31, kind: .message, cause: .payload)
        #expect(count([heavy, FrameRange(first: 1, last: 2, bytes: 1, kind: .message, cause: .payload)]) == 2)
        let almost = FrameRange(first: 0, last: 1, bytes: 1 << 31 - 1, kind: .message, cause: .payload)
        #expect(count([almost, FrameRange(first: 1, last: 2, bytes: 1, kind: .message, cause: .payload)]) == 1)
    }

    /// Broken: a packet carries data of two causes, or more than five ranges are in flight.
    @Test func aPacketHasOneCause() {
        var queue = FrameQueue()
        let causes: [Cause] = [.payload, .payload, .ack, .payload, .payload, .payload, .payload]
        for (index, cause) in causes.enumerated() {
            _ = queue.append(
                FrameRange(first: UInt32(index) * 2, last: UInt32(index) * 2 + 1, bytes: 10, kind: .call, cause: cause),
                sent: 0)
        }
        func sendable(_ offset: UInt64) -> String {
            queue.sendableRange(from: offset).map { "\($0.cause) \($0.end)" } ?? "nothing"
        }
        #expect([0, 9, 10, 19].map(sendable) == Array(repeating: "payload 20", count: 4))
        #expect([20, 29].map(sendable) == ["ack 30", "ack 30"])
        #expect([30, 49].map(sendable) == ["payload 50", "payload 50"])
        // The sixth range starts no packet, but is finished once it has begun.
        #expect(sendable(50) == "nothing" && sendable(51) == "payload 60" && sendable(70) == "nothing")
        queue.drop(before: 10)
        #expect(sendable(50) == "payload 60" && sendable(60) == "nothing" && queue.start == 10)
        queue.drop(before: 19)
        #expect(queue.start == 10)
        queue.drop(before: 60)
        #expect(queue.start == 60 && queue.count == 1 && queue.isOne && queue.firstEnd == 70)
        queue.drop(before: 70)
        #expect(queue.count == 0 && queue.start == 70 && queue.frames(at: 70) == nil)
    }

    /// Broken: a range keeps other numbers than it was given, or an item has another size than its part of the range.
    @Test func rangesKeepTheirNumbers() {
        var range = FrameRange(first: 5, last: 9, bytes: 80, kind: .ping, cause: .keepalive)
        #expect(range.count == 4 && range.first == 5 && range.last == 9)
        #expect(range.size(of: 6, Self.sizes, Self.framing) == 20)
        range.last = 6
        #expect(range.count == 1 && range.size(of: 5, Self.sizes, Self.framing) == 80)
        let messages = FrameRange(first: 2, last: 4, bytes: 999, kind: .message, cause: .payload)
        #expect(messages.size(of: 3, Self.sizes, Self.framing) == Self.framing.message(Self.sizes.bytes(of: 3)))
        let receipt = FrameRange(first: 0, last: 100_000, bytes: 8, kind: .receipt, cause: .ack)
        #expect(receipt.last == 100_000 && receipt.count == 65_535)
        #expect(FrameKind.allCases.filter(\.carriesAppData) == [.message, .call, .answer, .snapshot])
        #expect(FrameKind.allCases.filter(\.isOnSessionStream) == [.message, .snapshot])
    }

    /// Broken: a message behind repeated ones joins the first copies, before the frame that separates both.
    @Test func messagesFollowTheirRepetition() {
        var queue = FrameQueue()
        func append(_ kind: FrameKind, _ items: Range<UInt32>) {
            for item in items {
                let size = Self.bytes(kind, item)
                let range = FrameRange(first: item, last: item + 1, bytes: size, kind: kind, cause: .payload)
                let isTaken = queue.append(range, sent: 0)
                #expect(isTaken)
            }
        }
        append(.message, 1..<4)
        append(.control, 16..<17)
        append(.message, 0..<4)
        append(.ping, 0..<1)
        append(.message, 4..<6)
        var (boundary, found) = (ItemBoundary(), [String]())
        while let range = queue.next(&boundary, upTo: .max, Self.sizes, Self.framing) {
            found.append("\(range.kind) \(range.first)..<\(range.last)")
        }
        #expect(found == ["message 1..<4", "control 16..<17", "message 0..<6", "ping 0..<1"], "\(found)")
    }

    // MARK: Control frames

    private static let frames: [ControlFrame] = [
        .goAway, .tooManyPings, .finalGoAway, .poll, .pollAnswer, .finish, .confirmation(1), .heartbeat, .loginRefused,
        .streamCompleted, .resync, .sessionRefused, .sessionRefusedPermanently, .messageRefused,
        .messageRefusedPermanently, .messageLocked, .messagesAgain, .offsetRequest, .offset,
        .connectionWindowUpdate(16), .streamWindowUpdate(16),
        .connectionWindowUpdate(2_147_483_647), .streamWindowUpdate(2_147_483_647),
    ]

    /// Broken: a control frame is decoded as another one, or has another size or kind.
    @Test func controlFramesAreDecoded() {
        #expect(Set(Self.frames.map(\.item)).count == Self.frames.count)
        for frame in Self.frames {
            #expect(ControlFrame(item: frame.item) == frame && frame.kind == (frame == .finish ? .finish : .control))
        }
        #expect(ControlFrame.pong(9).item == 9 && ControlFrame.pong(9).kind == .pong)
        #expect(ControlFrame(item: ControlFrame.connectionWindowUpdate(3).item) == .connectionWindowUpdate(16))
        let framing = Framing(.http2, .tls13, .down)
        let sizes: [(ControlFrame, UInt32)] = [
            (.goAway, 17 + 22), (.finalGoAway, 17 + 22), (.tooManyPings, 31 + 22), (.poll, 17 + 22),
            (.pollAnswer, 17 + 22), (.pong(3), 17 + 22), (.sessionRefused, 150 + 22),
            (.sessionRefusedPermanently, 150 + 22), (.finish, 1), (.heartbeat, 1), (.loginRefused, 2 + 22),
            (.resync, 41 + 5 + 9 + 22), (.messageRefused, 41 + 5 + 9 + 22), (.messageLocked, 41 + 5 + 9 + 22),
            (.messageRefusedPermanently, 41 + 5 + 9 + 22), (.messagesAgain, 1), (.offset, 41 + 5 + 9 + 22),
            (.offsetRequest, 41 + 5 + 9 + 22), (.connectionWindowUpdate(99), 13 + 22),
            (.streamWindowUpdate(99), 13 + 22),
        ]
        for (frame, bytes) in sizes { #expect(frame.bytes(framing) == bytes, "\(frame)") }
        let mqtt = Framing(.mqtt, .none, .up)
        #expect(ControlFrame.confirmation(3).bytes(mqtt) == 3 * 4)
    }

    /// Broken: a pending frame is lost, sent twice or in another order, or amounts are not added up. The model keeps
    /// one amount for each kind.
    @Test func pendingFramesAreKeptOnce() {
        let order: [ControlFrame] = [
            .pong(4), .goAway, .tooManyPings, .finalGoAway, .poll, .pollAnswer, .heartbeat, .loginRefused, .resync,
            .sessionRefused, .sessionRefusedPermanently, .messageRefusedPermanently, .messagesAgain, .offset,
            .connectionWindowUpdate(70), .streamWindowUpdate(30),
            .confirmation(6), .finish,
        ]
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var pending = PendingControlFrames()
            #expect(pending.isEmpty && pending.first == nil)
            var chosen = order.filter { _ in dice.next() & 1 == 0 }
            let expected = chosen
            while !chosen.isEmpty {
                let frame = chosen.remove(at: Int(dice.next().scaled(below: UInt64(chosen.count))))
                switch frame {
                case .connectionWindowUpdate:
                    for part in [50, 20] { pending.add(.connectionWindowUpdate(UInt32(part))) }
                case .streamWindowUpdate: for part in [10, 20] { pending.add(.streamWindowUpdate(UInt32(part))) }
                case .confirmation: for part in [1, 5] { pending.add(.confirmation(UInt32(part))) }
                case .pong: for number in [3, 4] { pending.add(.pong(UInt32(number))) }
                default: for _ in 0..<2 { pending.add(frame) }
                }
                #expect(!pending.isEmpty)
            }
            var sent: [ControlFrame] = []
            while let frame = pending.first, sent.count < 20 {
                sent.append(frame)
                pending.remove(frame)
            }
            #expect(sent == expected && pending.isEmpty, "seed \(seed)")
        }
        var pending = PendingControlFrames()
        for _ in 0..<3 { pending.add(.confirmation(2_000_000_000)) }
        #expect(pending.first == .confirmation(2_147_483_647))
    }
}
