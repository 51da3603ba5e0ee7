import DeadzoneBase
import Testing

@testable import DeadzoneTransport

/// Sizes and numbers of flights of every set-up, and sizes of every frame, beside sums that are written out.
@Suite struct SetupSizeTests {

    /// Bytes that TLS adds to a record, by hand: 29 with TLS 1.2, 22 with TLS 1.3.
    private static func record(_ wire: Framing.WireProtocol, _ security: Framing.TLSVariant) -> UInt32 {
        if wire == .http3 { return 0 }
        switch security {
        case .none: return 0
        case .tls12, .tls12Resumed: return 29
        case .tls13, .tls13Resumed, .tls13Early: return 22
        }
    }

    private static func flights(_ security: Framing.TLSVariant) -> [(up: UInt32, down: UInt32)] {
        switch security {
        case .none, .tls13Early: []
        case .tls12: [(517, 3_400), (126, 260)]
        case .tls12Resumed, .tls13Resumed: [(767, 250)]
        case .tls13: [(517, 3_400)]
        }
    }

    /// Broken: a set-up has another number of flights, waits for another one, or a flight has another size or cause.
    @Test func everySetUpHasItsFlights() {
        withEverySetup { setup, wire, security in
            let tls = wire == .http3 ? [] : Self.flights(security)
            let awaits = setup.awaitsSettings && setup.holdsStream
            let own: UInt32 = 1 + (awaits ? 1 : 0) + (setup.authenticates ? 1 : 0)
            let count = UInt32(tls.count)
            #expect(setup.securityFlights == count && setup.hasSettingsFlight == awaits)
            #expect(setup.sessionFlight == count + own - 1)
            #expect(setup.firstProgramFlight == (awaits ? count : count + own - 1))
            #expect(setup.serverReadyFlight == (setup.authenticates || !awaits ? count + own - 1 : count))
            let awaited: UInt32 =
                switch wire {
                case .webSocket, .mqtt: 1
                case .http2: setup.awaitsSettings ? 1 : 0
                case .http1, .http3, .events, .lengthPrefixed: 0
                }
            #expect(setup.awaitedFlights == (setup.authenticates ? count + own : count + awaited))
            for (index, sizes) in tls.enumerated() {
                let flight = setup.flight(UInt32(index))
                #expect(flight == .init(cause: .tls, up: sizes.up, down: sizes.down))
            }
            let record = Self.record(wire, security)
            var (up, down): (UInt32, UInt32) =
                switch wire {
                case .webSocket: (300, 150)
                case .mqtt: (85, 9)
                case .lengthPrefixed: (4, 4)
                case .http1, .events: (1_100, 410)
                case .http3: (89, 49)
                case .http2: setup.holdsStream && !setup.awaitsSettings ? (133, 53) : (64, 24)
                }
            (up, down) = (up + record, down + record)
            if wire == .http3 {
                switch security {
                case .none, .tls12: break
                case .tls12Resumed: up += 51
                case .tls13, .tls13Resumed: up += 74
                case .tls13Early: (up, down) = (1_200 + 250, down + 1_200)
                }
            } else {
                switch security {
                case .none, .tls12: break
                case .tls12Resumed: up += 51
                case .tls13, .tls13Resumed: up += 74
                case .tls13Early: (up, down) = (up + 767, down + 250)
                }
            }
            let first = setup.flight(count)
            #expect(first == .init(cause: setup.isResuming ? .resume : .connect, up: up, down: down), "\(setup)")
            let cause: Cause = setup.isResuming ? .resume : .connect
            if awaits {
                #expect(setup.flight(count + 1) == .init(cause: cause, up: 78 + record, down: 29 + record), "\(setup)")
            }
            if setup.authenticates {
                let last = setup.flight(count + own - 1)
                #expect(last == .init(cause: cause, up: 600 + record, down: 40 + record), "\(setup)")
            }
        }
    }

    private func withEverySetup(_ body: (ConnectionSetup, Framing.WireProtocol, Framing.TLSVariant) -> Void) {
        for wire in Framing.WireProtocol.allCases {
            for security in Framing.TLSVariant.allCases {
                for bits in 0..<16 {
                    let (resumes, authenticates) = (bits & 1 != 0, bits & 2 != 0)
                    let (awaits, holds) = (bits & 4 != 0, bits & 8 != 0)
                    guard wire == .http2 || (!awaits && holds) else { continue }
                    let setup = ConnectionSetup(
                        wire, security, isResuming: resumes, authenticates: authenticates, awaitsSettings: awaits,
                        holdsStream: holds, headers: HTTP1HeaderSizes(request: 1_100, answer: 410))
                    body(setup, wire, security)
                }
            }
        }
    }

    /// Bytes of a message and of a call or answer, before TLS, as the standards and the assumed sizes add up.
    private static func sizes(
        of payload: UInt32, _ wire: Framing.WireProtocol, isUp: Bool
    ) -> (message: UInt32, exchange: UInt32) {
        let grpc = payload + 5
        let http2 = grpc + 9 * (grpc / 16_384 + (grpc % 16_384 == 0 ? 0 : 1))
        let published = 2 + 20 + 2 + payload
        let length: UInt32 =
            published <= 127 ? 1 : published <= 16_383 ? 2 : published <= 2_097_151 ? 3 : 4
        return switch wire {
        case .webSocket:
            (
                payload + (isUp ? 6 : 2) + (payload <= 125 ? 0 : payload <= 65_535 ? 2 : 8),
                payload + (isUp ? 6 : 2) + (payload <= 125 ? 0 : payload <= 65_535 ? 2 : 8)
            )
        case .http2: (http2, http2 + (isUp ? 69 : 50))
        case .http1: (payload + (isUp ? 300 : 2), payload + (isUp ? 300 : 150))
        case .events: (payload + (isUp ? 300 : 30), payload + (isUp ? 300 : 150))
        case .mqtt: (1 + length + published, 1 + length + published)
        case .lengthPrefixed: (4 + payload, 4 + payload)
        case .http3: (payload + 8, payload + 8 + (isUp ? 60 : 32))
        }
    }

    /// Broken: a frame of a protocol has another size at a boundary of its header, its length field or its records.
    @Test func framesHaveTheSizesOfTheirProtocol() {
        let payloads: [UInt32] = [
            0, 1, 100, 125, 126, 127, 128, 16_300, 16_379, 16_380, 16_384, 65_535, 65_536, 2_097_100, 2_097_200,
        ]
        for security in Framing.TLSVariant.allCases {
            for wire in Framing.WireProtocol.allCases {
                for direction in [Direction.up, .down] {
                    let framing = Framing(wire, security, direction)
                    func sealed(_ bytes: UInt32) -> UInt32 {
                        let records = bytes / 16_384 + (bytes % 16_384 == 0 ? 0 : 1)
                        return max(bytes + records * Self.record(wire, security), 1)
                    }
                    let isUp = direction == .up
                    for payload in payloads {
                        let (message, exchange) = Self.sizes(of: payload, wire, isUp: isUp)
                        #expect(framing.message(payload) == sealed(message), "\(wire) \(security) \(payload)")
                        #expect(framing.exchange(payload) == sealed(exchange), "\(wire) \(security) \(payload)")
                        for count in [1, 3] as [UInt32] {
                            let beside = (max(framing.message(0), 5) - 5) * count
                            #expect(
                                framing.flowControlledBytes(payload, count: count, isMessage: true)
                                    == (payload > beside ? payload - beside : 0))
                        }
                        let beside = max(framing.exchange(0), 5) - 5
                        #expect(
                            framing.flowControlledBytes(payload, count: 1, isMessage: false)
                                == (payload > beside ? payload - beside : 0))
                    }
                    let ping: UInt32 =
                        switch wire {
                        case .webSocket: isUp ? 6 : 2
                        case .http2: 17
                        case .http1, .events: isUp ? 300 : 150
                        case .http3: 1
                        case .mqtt: 2
                        case .lengthPrefixed: 4
                        }
                    #expect(framing.ping == sealed(ping) && framing.control(77) == sealed(77))
                    let confirmation: UInt32 =
                        wire == .mqtt ? sealed(4) : !isUp && (wire == .http1 || wire == .events) ? sealed(120) : 0
                    #expect(framing.confirmationBytes == confirmation)
                }
            }
        }
        #expect(Framing(.webSocket, .none, .down).control(0) == 1, "an item takes at least one byte")
        #expect(
            [127, 128, 16_383, 16_384, 2_097_151, 2_097_152].map { MQTTWire.lengthBytes($0) } == [1, 2, 2, 3, 3, 4])
        #expect(HTTP2Wire.goAway(.noError) == 17 && HTTP2Wire.goAway(.enhanceYourCalm) == 31)
        #expect("too_many_pings".utf8.count == 14)
    }

    /// Broken: a constant of a header differs from the sum of its parts in the standard.
    @Test func headersAreTheSumsOfTheirParts() {
        #expect(Wire.tcp == 20 + 20 + 12 && Wire.udp == 20 + 8 && Wire.tlsRecord == 5 + 1 + 16)
        #expect(Wire.segment == 1_500 - Wire.tcp && ConnectionSetup.syn == 20 + 20 + 20)
        #expect(QUICWire.packet == 28 + 1 + 8 + 2 + 16 && QUICWire.stream == 8 && QUICWire.acknowledgement == 7)
        #expect(QUICWire.segment == 1_250 - 27 - 8 && QUICWire.ping == 56 && QUICWire.close == 59)
        #expect(QUICWire.challenge == 55 + 1 + 8 && QUICWire.initial == 28 + 1_200 && QUICPath.padded == 1_200)
        for security in Framing.TLSVariant.allCases {
            let isShort = [.tls12Resumed, .tls13Resumed, .tls13Early].contains(security)
            #expect(QUICWire.answer(security) == (isShort ? 1_228 : 3 * 73 + 3_400))
        }
        for kernel in [Kernel.linux, .xnu, .quic] {
            let isQUIC = kernel.family == .quic
            for security in Framing.TLSVariant.allCases {
                let rules = TCPRules(kernel: kernel, framing: Framing(isQUIC ? .http3 : .webSocket, security, .up))
                #expect(rules.segment == (isQUIC ? 1_215 : 1_448) && rules.header == (isQUIC ? 63 : 52))
                #expect(rules.helloBytes == (isQUIC ? 1_228 : 60) && rules.isQUIC == isQUIC)
                #expect(rules.helloReplyBytes == (isQUIC ? QUICWire.answer(security) : 60))
                #expect(rules.isEarly == (isQUIC && security == .tls13Early))
            }
        }
    }

    /// Broken: an encoded event has another size at a boundary of its numbers.
    @Test func envelopesAtTheirBoundaries() {
        func varint(_ value: UInt64) -> UInt32 {
            var (rest, bytes) = (value >> 7, UInt32(1))
            while rest > 0 { (rest, bytes) = (rest >> 7, bytes + 1) }
            return bytes
        }
        let numbers: [UInt64] = [
            0, 1, 9, 10, 99, 100, 127, 128, 16_383, 16_384, 999_999, 1_000_000, 1 << 21, 1 << 28, 1 << 35,
        ]
        for number in numbers {
            #expect(
                Envelope.varint(number) == varint(number) && Envelope.digits(number) == UInt32("\(number)".utf8.count))
            let position = UInt32(truncatingIfNeeded: number)
            let field = position == 0 ? 0 : 1 + varint(UInt64(position))
            #expect(
                Envelope.protobuf.receipt(position) == field && Envelope.protobuf.request(position) == field + 2 + 36)
            #expect(Envelope.none.receipt(position) == 8 && Envelope.none.request(position) == 0)
            for json in [Envelope.json, .text] {
                #expect(json.receipt(position) == UInt32("{\"type\":\"ACK\",\"seq\":\(position)}".utf8.count))
                let cursor = position == 0 ? "" : "\"resumeCursor\":\"\(position)\","
                let session = String(repeating: "x", count: 36)
                #expect(json.request(position) == UInt32("{\(cursor)\"clientSessionId\":\"\(session)\"}".utf8.count))
            }
            for payload in [0, 1, 2, 3, 4, 127, 128, 300] as [UInt32] {
                for (type, name) in [
                    (Envelope.EventType.update, "UPDATE"), (.snapshot, "SNAPSHOT"), (.heartbeat, "HEARTBEAT"),
                ] {
                    let sequence = number == 0 ? [] : ["\"sequenceId\":\"\(number)\""]
                    let body = String(repeating: "x", count: Int((payload + 2) / 3 * 4))
                    let json =
                        sequence + (type == .update ? [] : ["\"type\":\"\(name)\""])
                        + (payload == 0 ? [] : ["\"payload\":\"\(body)\""])
                    #expect(
                        Envelope.json.event(type, number, payload)
                            == UInt32("{\(json.joined(separator: ","))}".utf8.count))
                    let text =
                        sequence + ["\"type\":\"\(name)\""]
                        + (payload == 0 ? [] : ["\"payload\":" + String(repeating: "x", count: Int(payload))])
                    #expect(
                        Envelope.text.event(type, number, payload)
                            == UInt32("{\(text.joined(separator: ","))}".utf8.count))
                    let proto =
                        (number == 0 ? 0 : 1 + varint(number)) + (type == .update ? 0 : 2)
                        + (payload == 0 ? 0 : 1 + varint(UInt64(payload)) + payload)
                    #expect(Envelope.protobuf.event(type, number, payload) == proto)
                    #expect(Envelope.none.event(type, number, payload) == payload)
                }
            }
        }
        for envelope in Envelope.allCases {
            #expect(envelope.message(50, 8) == envelope.event(.update, 9, 50))
            #expect(envelope.snapshot(50, 8) == envelope.event(.snapshot, 8, 50))
            #expect(envelope.heartbeat(8) == envelope.event(.heartbeat, 8, 0))
        }
    }
}
