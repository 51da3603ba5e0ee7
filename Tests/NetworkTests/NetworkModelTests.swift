import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// Links, middleboxes and address resolutions beside plain second versions.
@Suite struct NetworkModelTests {
    /// A link with independent losses: its queue is a list of the packets that have not left.
    private struct ReferenceLink {
        let direction: LinkDirection
        let packets: Dice
        var (busyUntil, lastDelivery) = (Int64(0), Int64(0))
        var drawn: [Int64: UInt64] = [:]

        init(_ direction: LinkDirection, _ packets: Dice) { (self.direction, self.packets) = (direction, packets) }

        private mutating func draws(_ now: Int64) -> (UInt64, UInt64) {
            let slot = now / 1_000_000
            defer { drawn = [slot: (drawn[slot] ?? 0) + 1] }
            return packets.pair(at: UInt64(slot) << 16 | (drawn[slot] ?? 0))
        }

        mutating func send(_ bytes: Int64, _ parts: Int64, at now: Int64) -> Transit {
            // An idle link sends the first part at once.
            let least: Int64 = busyUntil > now ? 0 : 1
            var fitting = parts
            switch direction.queue {
            case .wait(let longest) where parts > least:
                let left = longest.nanoseconds - max(busyUntil - now, 0)
                let airtime = bytes / parts * 8_000_000_000 / direction.bitsPerSecond
                if left < 0 { fitting = least } else if airtime > 0 { fitting = min(parts, left / airtime + 1) }
            case .bytes(let most) where parts > least:
                // Bytes that have not left completely still count.
                let bits = Int128(max(busyUntil - now, 0)) * Int128(direction.bitsPerSecond)
                let free = most - Int64((bits + 7_999_999_999) / 8_000_000_000)
                if free < bytes { fitting = free > 0 ? max(free * parts / bytes, least) : least }
                if bytes == 0 && free < 0 { fitting = least }
            default: break
            }
            let all = UInt64(1) << UInt64(parts) - 1
            guard fitting > 0 else {
                _ = draws(now)
                return Transit(at: .zero + .nanoseconds(now), intact: 0, dropped: UInt32(parts), missing: all)
            }
            let begin = max(busyUntil, now)
            let accepted = fitting == parts ? bytes : bytes * fitting / parts
            busyUntil = max(busyUntil, now) + accepted * 8_000_000_000 / max(direction.bitsPerSecond, 1)
            var (delay, losses) = (Int64(0), [Bool]())
            for part in 0..<fitting {
                let (first, second) = draws(now)
                if part == 0 { delay = max(direction.delay.draw(first), direction.floor.nanoseconds) }
                guard case .independent(let loss) = direction.loss else { continue }
                losses.append(loss.hits(second))
            }
            lastDelivery = max(lastDelivery, busyUntil + delay)
            var missing = (all >> UInt64(fitting)) << UInt64(fitting)
            for (part, isLost) in losses.enumerated() where isLost { missing += 1 << UInt64(part) }
            return Transit(
                at: .zero + .nanoseconds(lastDelivery), intact: UInt32(losses.prefix { !$0 }.count),
                dropped: UInt32(parts - fitting), lost: UInt32(losses.count { $0 }), missing: missing,
                spread: .nanoseconds((busyUntil - begin) * (fitting - 1) / fitting))
        }
    }

    /// Broken: a packet leaves, is dropped, is lost or arrives in another way than a list of packets says.
    @Test func aLinkEqualsAListOfPackets() {
        var (dropped, lost, late) = (0, 0, 0)
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int64 { Int64(dice.next().scaled(below: below)) }
            let packets = Dice(seed: seed, phone: PhoneID(1), purpose: .linkWifiUp)
            let queue: [QueueBound?] = [nil, .wait(.microseconds(draw(900))), .bytes(draw(3_000))]
            let direction = LinkDirection(
                delay: draw(2) == 0 ? .constant(500_000) : .uniform(0, 4_000_000), floor: .microseconds(draw(2_000)),
                bitsPerSecond: [8_000_000, 20_000_000, 1_500_000][Int(draw(3))],
                loss: .independent(Probability(UInt64(draw(4)), of: 8)), queue: queue[Int(draw(3))])
            var link = Link(direction, dwells: packets)
            var model = ReferenceLink(direction, packets)
            var now: Int64 = 0
            for step in 0..<80 {
                now += [0, 0, draw(300_000), draw(3_000_000)][Int(draw(4))]
                let (bytes, parts) = (draw(1_500), 1 + draw(2) * draw(6))
                let transit = link.transmit(
                    bytes: UInt32(bytes), parts: UInt32(parts), at: .zero + .nanoseconds(now), over: direction,
                    packets: packets, dwells: packets)
                let expected = model.send(bytes, parts, at: now)
                #expect(transit == expected, "seed \(seed), step \(step)")
                #expect(link.busyUntil == .zero + .nanoseconds(model.busyUntil), "seed \(seed), step \(step)")
                dropped += transit.dropped > 0 ? 1 : 0
                lost += transit.lost > 0 ? 1 : 0
                late += transit.at == .zero + .nanoseconds(model.lastDelivery) ? 1 : 0
                if draw(30) == 0 {
                    link.resetQueue()
                    (model.busyUntil, model.lastDelivery) = (0, 0)
                }
            }
        }
        #expect(dropped > 500 && lost > 500 && late > 5_000, "\(dropped), \(lost), \(late)")
    }

    /// A list of boxes, each with the time of its last packet.
    private struct ReferenceBoxes {
        let boxes: [Middlebox]
        let isUDP: Bool
        var times: [Int?]
        var (address, now) = (UInt64(0), 0)
        /// The state is computed at the first packet, and after every change.
        var isFresh = true

        init(_ boxes: [Middlebox], isUDP: Bool) {
            (self.boxes, self.isUDP) = (boxes, isUDP)
            times = Array(repeating: nil, count: boxes.count)
        }

        private func idle(_ box: Middlebox) -> Int { Int((isUDP ? box.udp : box.tcp).nanoseconds / 1_000_000_000) }
        private func blocks(_ box: Middlebox) -> Bool { isUDP && box.udp == .zero }
        private func renews(_ box: Middlebox) -> Bool {
            isUDP ? !blocks(box) : box.adoptsMidstream || box.expiryAction == .oneWay
        }
        private func end(_ index: Int) -> Int? { times[index].map { $0 + idle(boxes[index]) } }

        var endsAt: Instant { boxes.indices.compactMap(end).min().map { .zero + .seconds(Int64($0)) } ?? .never }

        var status: MiddleboxMappings.MappingStatus {
            let gone = boxes.indices.filter { times[$0] == nil }.map { boxes[$0] }
            return isFresh || gone.isEmpty ? .intact : gone.allSatisfy(renews) ? .waitsForUplink : .cut
        }

        mutating func expire() -> Int? {
            isFresh = false
            let index = boxes.indices.first { index in end(index).map { $0 <= now } ?? false }
            if let index { times[index] = nil }
            return index
        }

        mutating func forget(_ index: Int) -> Bool {
            defer { times[index] = nil }
            if times[index] != nil { isFresh = false }
            return times[index] != nil
        }

        mutating func cross(isUp: Bool, under address: UInt64, opens: Bool) -> MiddleboxMappings.CrossingResult {
            let wasBlocked = address == self.address && status == .cut
            if address != self.address { times = times.map { _ in nil } }
            (self.address, isFresh) = (address, false)
            for index in isUp ? Array(boxes.indices) : boxes.indices.reversed() {
                if blocks(boxes[index]) { return wasBlocked ? .vanishes : .isBlocked }
                if let end = end(index), now <= end {
                    times[index] = now
                } else if isUp, opens || renews(boxes[index]) {
                    times[index] = now
                } else {
                    times[index] = nil
                    return boxes[index].expiryAction == .reset && !isUDP ? .isReset : .vanishes
                }
            }
            return .passes
        }
    }

    /// Broken: a box keeps, renews or forgets a mapping in another case than a list of boxes with times.
    @Test func boxesEqualAListOfTimes() {
        var results: [MiddleboxMappings.CrossingResult: Int] = [:]
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            let boxes = (0..<draw(5)).map { _ in
                Middlebox(
                    tcp: .seconds(Int64(1 + draw(8))), udp: draw(6) == 0 ? .zero : .seconds(Int64(1 + draw(8))),
                    expiryAction: Middlebox.ExpiryAction.allCases[draw(4)], adoptsMidstream: draw(4) == 0)
            }
            let path = UnsafeMutablePointer<MiddleboxPath>.allocate(capacity: 1)
            path.initialize(to: MiddleboxPath(boxes))
            defer { path.deinitialize(count: 1).deallocate() }
            #expect(path.pointee.count == boxes.count && boxes.indices.allSatisfy { path.pointee[$0] == boxes[$0] })
            let isUDP = draw(2) == 0
            var (state, model) = (MiddleboxState(), ReferenceBoxes(boxes, isUDP: isUDP))
            for step in 0..<40 {
                model.now += draw(4)
                let now = Instant.zero + .seconds(Int64(model.now))
                switch draw(8) {
                case 0:
                    let expected = model.expire()
                    #expect(state.expire(at: now, path, isUDP: isUDP) == expected, "seed \(seed), step \(step)")
                case 1 where !boxes.isEmpty:
                    let index = draw(UInt64(boxes.count))
                    let expected = model.forget(index)
                    #expect(state.forget(index, path, isUDP: isUDP) == expected, "seed \(seed), step \(step)")
                default:
                    let (isUp, opens) = (draw(2) == 0, draw(3) == 0)
                    let address = draw(10) == 0 ? model.address + 1 : max(model.address, 1)
                    let expected = model.cross(isUp: isUp, under: address, opens: opens)
                    let found = state.cross(
                        isUp ? .up : .down, under: address, path, isUDP: isUDP, opensConnection: opens, at: now)
                    #expect(found == expected, "seed \(seed), step \(step)")
                    results[found, default: 0] += 1
                }
                #expect(state.endsAt == model.endsAt && state.status == model.status, "seed \(seed), step \(step)")
            }
        }
        #expect(results.values.allSatisfy { $0 > 100 } && results.count == 4, "\(results)")
    }

    /// Times of SYNs to one address: doubling waits from a second on, until the limit.
    private func knocks(from start: Int, limit: Int) -> [String] {
        let waits = [0, 1, 3, 7, 15, 31, 63].map { $0 * 1_000 }
        return waits.filter { $0 < limit }.map { "knock \(start + $0)" }
    }

    /// The whole resolution in milliseconds, if the first query is answered after 100 ms.
    private func expected(_ resolver: Resolver, races: Bool, limit: Int?) -> [String] {
        var (lines, now) = (["ask 0"], 100)
        if resolver.ipv4 == .unanswered || resolver.ipv6 == .unanswered {
            if races {
                now += 50
            } else {
                lines.append("ask 5000")
                now = 10_000
            }
        }
        let limit = min(limit ?? 127_000, 127_000)
        switch (resolver.ipv6, resolver.ipv4) {
        case (.works, _), (.absent, .works), (.unanswered, .works): return lines + ["go \(now)"]
        case (.broken, .works), (.broken, .broken):
            lines += races ? ["knock \(now)"] : knocks(from: now, limit: limit)
            now += races ? min(250, limit) : limit
            if resolver.ipv4 == .works { return lines + ["go \(now)"] }
            return lines + knocks(from: now, limit: limit) + ["timedOut \(now + limit)"]
        case (.broken, _), (_, .broken): return lines + knocks(from: now, limit: limit) + ["timedOut \(now + limit)"]
        default: return lines + ["unresolved \(now)"]
        }
    }

    /// Broken: an attempt takes another time, tries another address or ends in another way, for any combination of the
    /// states of both address families.
    @Test(arguments: Resolver.AddressStatus.allCases, Resolver.AddressStatus.allCases)
    func everyCombinationOfAddresses(ipv4: Resolver.AddressStatus, ipv6: Resolver.AddressStatus) {
        let resolver = Resolver(ipv4: ipv4, ipv6: ipv6)
        for races in [true, false] {
            for limit in [nil, 100, 250, 1_000, 3_000, 200_000] as [Int?] {
                var resolution = AddressResolution(
                    races: races, addressTimeout: limit.map { .milliseconds(Int64($0)) }, at: .zero)
                #expect(resolution.startedAt == .zero && !resolution.reportQueriesEnded())
                resolution = AddressResolution(
                    races: races, addressTimeout: limit.map { .milliseconds(Int64($0)) }, at: .zero)
                var lines: [String] = []
                var (now, answersAt) = (Instant.zero, Instant.zero + .milliseconds(100))
                var action = resolution.start(resolver, isKnown: false, at: now)
                while lines.count < 40 {
                    if action != .wait { lines.append("\(action) \(now.nanoseconds / 1_000_000)") }
                    if [.go, .unresolved, .timedOut].contains(action) { break }
                    now = min(answersAt, resolution.deadline)
                    guard now != .never else { break }
                    if now == answersAt {
                        answersAt = .never
                        action = resolution.receiveAnswer(resolver, at: now)
                    } else {
                        action = resolution.expire(resolver, at: now)
                    }
                }
                #expect(lines == expected(resolver, races: races, limit: limit), "races \(races), limit \(limit ?? -1)")
                // After the end nothing happens any more, and the end of the queries is reported once.
                #expect(resolution.deadline == .never && resolution.expire(resolver, at: now) == .wait)
                #expect(resolution.receiveAnswer(resolver, at: now) == .wait && resolution.receiveFailure() == .wait)
                #expect(resolution.reportQueriesEnded() && !resolution.reportQueriesEnded())
            }
        }
        var failed = AddressResolution(races: true, addressTimeout: nil, at: .zero)
        #expect(failed.start(resolver, isKnown: false, at: .zero) == .ask && failed.receiveFailure() == .unresolved)
        #expect(failed.deadline == .never && failed.receiveFailure() == .wait)
    }

    /// Broken: a trace is refused or accepted at the wrong boundary, or its rows, its period or its mean rate differ.
    @Test func tracesAtTheirBoundaries() throws {
        let steps = try LinkTrace(opportunities: [0, 0, 5, 9])
        #expect(steps.period == 9 && steps.count == 4 && steps.rows.map(\.time) == [0, 0, 5, 9])
        #expect(steps.rows.allSatisfy { $0.rate == -1 })
        #expect(steps.meanBitsPerSecond == 4 * 1_500 * 8 * 1_000_000_000 / 9)
        #expect(throws: LinkTrace.TraceError.fallingTime(row: 0)) { try LinkTrace(opportunities: [-1, 4]) }
        #expect(throws: LinkTrace.TraceError.empty) { try LinkTrace(starts: [], bitsPerSecond: []) }
        #expect(throws: LinkTrace.TraceError.empty) { try LinkTrace(starts: [1, 2], bitsPerSecond: [1]) }
        #expect(throws: LinkTrace.TraceError.carriesNothing) { try LinkTrace(starts: [1, 2], bitsPerSecond: [1, -1]) }
        let rates = try LinkTrace(starts: [100, 130, 140], bitsPerSecond: [0, 3, 1])
        #expect(rates.period == 50 && rates.rows.map(\.time) == [0, 30, 40] && rates.rows.map(\.rate) == [0, 3, 1])
        // 10 ns with 3 bit/s and 10 ns with 1 bit/s, in 50 ns; the mean is at least 1 bit/s.
        #expect(rates.meanBitsPerSecond == 1)
        let single = try LinkTrace(starts: [7], bitsPerSecond: [12])
        #expect(single.period == 1_000_000_000 && single.meanBitsPerSecond == 12)
        let fast = try LinkTrace(starts: [0, 10], bitsPerSecond: [100, 300])
        #expect(fast.period == 20 && fast.meanBitsPerSecond == 200)
    }
}
