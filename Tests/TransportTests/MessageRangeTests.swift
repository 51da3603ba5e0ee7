import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// The messages that an end has been given, written, and may forget; and sizes of datagrams, written out as sums.
@Suite struct MessageRangeTests {
    private static let rules = TCPRules(framing: Framing(.webSocket, .tls13, .up), sendBuffer: 1_000_000)

    // MARK: Ranges

    /// Broken: a message is sent twice or never, because a range begins or ends at another message.
    @Test func rangesBeginAndEndWhereTheyShould() {
        var end = TCPEnd()
        func state() -> [UInt32] {
            [end.waiting.lowerBound, end.waiting.upperBound, end.offeredEnd, end.confirmed]
        }
        end.offer(upTo: 5)
        #expect(end.hasNoMessages && end.waiting.isEmpty, "nothing was handed over on this connection")
        end.offer(from: 3, upTo: 6)
        #expect(!end.hasNoMessages && state() == [3, 6, 6, 3])
        end.offer(from: 0, upTo: 4)
        #expect(state() == [3, 6, 6, 3])
        end.offer(upTo: 8)
        end.offer(upTo: 7)
        #expect(state() == [3, 8, 8, 3])
        for (first, begin) in [(5, 5), (4, 5), (8, 8), (12, 8)] as [(UInt32, UInt32)] {
            end.conflate(to: first)
            #expect(state() == [begin, 8, 8, 3])
        }
        // The messages before the gap are not confirmed yet.
        end.skip(to: 11)
        #expect(state() == [11, 11, 11, 3])
        end.rewind(to: 4, upTo: 9)
        #expect(state() == [4, 9, 9, 3])
        end.rewind(to: 6, upTo: 5)
        #expect(state() == [4, 6, 6, 3])
        end.rewind(to: 2, upTo: 9)
        #expect(state() == [2, 6, 6, 2])
        var settled = TCPEnd()
        settled.offer(from: 2, upTo: 2)
        settled.skip(to: 7)
        #expect([settled.offeredEnd, settled.confirmed] == [7, 7], "all before the gap were confirmed")
    }

    /// Broken: the rest of a message has another size or number, counts as confirmed, or follows another message.
    @Test func theRestOfAMessageComesFirst() {
        let sizes = MessageSizes(.constant(500), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        func rest(_ end: inout TCPEnd) -> Bool {
            withUnsafePointer(to: Self.rules) { end.offerRest(of: 7, bytes: 60, $0) }
        }
        var end = TCPEnd()
        check(rest(&end))
        check(!rest(&end))
        #expect(end.waiting.isEmpty && end.offeredEnd == 8 && end.confirmed == 7 && !end.hasNoMessages)
        let written = end.take(upTo: .max, Self.rules, sizes)
        #expect(written == FrameRange(first: 7, last: 8, bytes: 60, kind: .message, cause: .resume))
        check(end.take(upTo: .max, Self.rules, sizes) == nil)
        var other = TCPEnd()
        other.offer(from: 4, upTo: 4)
        check(!rest(&other) && other.offeredEnd == 4)
    }

    /// Broken: the message that the other end has read in part is another one, or begins at another offset.
    @Test func theUnreadMessageIsTheNextOne() {
        let sizes = MessageSizes(.constant(500), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        let bytes = Self.rules.framing.message(500)
        var end = TCPEnd()
        #expect(end.unreadMessage == nil)
        for message in 3..<6 as Range<UInt32> {
            check(end.write(.message, message, bytes: bytes, cause: .payload, Self.rules))
        }
        check(end.write(.ping, 0, bytes: 30, cause: .keepalive, Self.rules))
        for (count, message) in [(0, 3), (1, 4), (2, 5)] as [(UInt64, UInt32)] {
            let read = end.take(upTo: count * UInt64(bytes), Self.rules, sizes)
            #expect(read?.last == (count == 0 ? nil : message))
            #expect(end.unreadMessage?.message == message && end.unreadMessage?.start == count * UInt64(bytes))
        }
        // The last message is not complete.
        check(end.take(upTo: 3 * UInt64(bytes) - 1, Self.rules, sizes) == nil && end.unreadMessage?.message == 5)
        check(end.take(upTo: 3 * UInt64(bytes), Self.rules, sizes)?.last == 6)
        #expect(end.unreadMessage == nil, "a ping follows")
    }

    // MARK: Sizes

    /// Broken: a record, a flight or a header has another size than its fields. A record of DTLS 1.2 has a header of 13
    /// bytes, a handshake message one of 12.
    @Test func datagramsHaveTheSizesOfTheirFields() {
        #expect(DTLSWire.record(isVersion13: false) == 13 + 8 + 8 && DTLSWire.record(isVersion13: true) == 5 + 1 + 8)
        #expect(DTLSWire.connectionID(isVersion13: false) == 6 + 1 && DTLSWire.connectionID(isVersion13: true) == 6)
        #expect(DTLSWire.coap == 4 + 4 + 6 + 1 && DTLSWire.coapAck == 4 + 4)
        let header: UInt32 = 13 + 12
        // Version, random, session id, suite, compression.
        let serverHello = header + 2 + 32 + 1 + 32 + 2 + 1
        // ChangeCipherSpec, and Finished with its nonce and tag.
        let finish: UInt32 = 13 + 1 + 13 + 8 + 12 + 12 + 8
        let (hello, cookie): (UInt32, UInt32) = (80, 32)
        let flights: [(Bool, Bool, UInt8, UInt32, UInt32)] = [
            (false, false, 0, hello, header + 2 + 1 + cookie), (false, false, 1, hello + cookie, serverHello + header),
            (false, false, 2, header + 2 + 16 + finish, finish), (false, false, 3, header + 2 + 16 + finish, finish),
            (false, true, 0, hello + 32 + finish, serverHello + finish),
            (true, false, 0, 136, 92), (true, false, 1, 136 + 2 + cookie + 56, 153), (true, true, 0, 136 + 56, 153),
        ]
        for (isVersion13, isResumed, number, up, down) in flights {
            let flight = DTLSWire.flight(number, isVersion13: isVersion13, isResumed: isResumed)
            #expect(flight.up == up && flight.down == down, "\(isVersion13) \(isResumed) \(number)")
        }
        // Attributes of RFC 8489 and RFC 8445, and the channel header of RFC 8656.
        #expect(STUNWire.check == 20 + 16 + 8 + 12 + 24 + 8 && STUNWire.answer == 20 + 12 + 24 + 8)
        #expect(STUNWire.channelData == 2 + 2)
    }

    /// Broken: a frame about a subscription is taken for another one.
    @Test func aSubscriptionFrameHasItsNumber() {
        var items: Set<UInt32> = []
        for purpose in SubscriptionFrame.FramePurpose.allCases {
            for number in [0, 1, 63, 255] as [UInt8] {
                let frame = SubscriptionFrame(purpose, number)
                #expect(SubscriptionFrame(item: frame.item) == frame && items.insert(frame.item).inserted)
            }
            // Numbers that follow each other are items that follow each other, so that they stand in one range.
            #expect(SubscriptionFrame(purpose, 5).item + 1 == SubscriptionFrame(purpose, 6).item)
        }
        #expect(SubscriptionFrame(item: 4 << 8) == nil)
    }
}
