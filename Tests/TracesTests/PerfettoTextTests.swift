import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// A reader of the wire format of Protocol Buffers, written apart from the program's writer.
private struct WireReader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return value
    }

    /// `field=value` pairs. Fields in `messages` (paths) are messages, in `doubles` numbers of eight bytes.
    mutating func text(path: String = "", messages: [String], doubles: [String]) -> String {
        var parts: [String] = []
        while !rest.isEmpty {
            let key = number()
            let field = "\(path)/\(key >> 3)"
            switch key & 7 {
            case 0: parts.append("\(key >> 3)=\(number())")
            case 1:
                let bits = (0..<8).reduce(UInt64(0)) { sum, place in
                    sum | UInt64(rest.popFirst() ?? 0) << (8 * UInt64(place))
                }
                parts.append(
                    "\(key >> 3)=" + (doubles.contains(field) ? "\(Double(bitPattern: bits))" : "fixed \(bits)"))
            default:
                let count = Int(number())
                var inner = WireReader(rest: rest.prefix(count))
                rest = rest.dropFirst(count)
                parts.append(
                    "\(key >> 3)="
                        + (messages.contains(field)
                            ? "{\(inner.text(path: field, messages: messages, doubles: doubles))}"
                            : "'\(String(decoding: inner.rest, as: UTF8.self))'"))
            }
        }
        return parts.joined(separator: " ")
    }
}

/// The whole trace of a day, field by field.
struct PerfettoTextTests {
    private func packets(_ bytes: [UInt8]) -> [String] {
        var (reader, lines) = (WireReader(rest: bytes[...]), [String]())
        while !reader.rest.isEmpty {
            let key = reader.number()
            let count = Int(reader.number())
            var packet = WireReader(rest: reader.rest.prefix(count))
            reader.rest = reader.rest.dropFirst(count)
            lines.append(
                "\(key >> 3).\(key & 7) "
                    + packet.text(messages: ["/60", "/60/8", "/11", "/11/4"], doubles: ["/11/4/5", "/11/44"]))
        }
        return lines
    }

    @Test func aDayIsWritten() {
        // Broken: a track, slice, counter or arrow is at another time or place, or has another name.
        var report = Sample.report(name: "Day \u{1B}" + String(repeating: "x", count: 130))
        report.strategies[0].name = "first"
        let bytes = PerfettoTrace.bytes([
            RunWithTraces(report: report, histories: [TracedDay.history(), TracedDay.history([])]),
            RunWithTraces(report: Sample.report(name: "none")),
        ])
        expectText(
            packets(bytes).joined(separator: "\n"),
            aDayIsWrittenText)
    }

    @Test func numbersAreReadBack() {
        // Broken: a large number is cut.
        for value in [0, 1, 127, 128, 300, 16_383, 16_384, UInt64.max, 1 << 63] as [UInt64] {
            var message = Protobuf()
            message.varint(60, value)
            message.fixed64(47, value)
            message.double(44, Double(value))
            message.message(4) { $0.string(22, "ä") }
            var reader = WireReader(rest: message.bytes[...])
            #expect(
                reader.text(messages: ["/4"], doubles: ["/44"])
                    == "60=\(value) 47=fixed \(value) 44=\(Double(value)) 4={22='ä'}")
        }
    }
}

private let aDayIsWrittenText = #"""
    1.2 10=1 13=1 60={1=1 2='Deadzone' 11=3 12=0 15=2}
    1.2 10=1 60={1=2 2='Day \u{1b}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' 5=1 11=3 12=0 15=2}
    1.2 10=1 60={1=3 2='first' 5=2 11=3 12=1 15=2}
    1.2 10=1 60={1=4 2='Wi-Fi network' 5=3 11=3 12=1 15=2}
    1.2 8=0 10=1 11={9=1 11=4 22='deadzone' 23='reachable'}
    1.2 8=4000000000 10=1 11={9=2 11=4 22='deadzone'}
    1.2 10=1 60={1=5 2='Wi-Fi radio' 5=3 11=3 12=2 15=2}
    1.2 8=0 10=1 11={9=1 11=5 22='deadzone' 23='idle' 4={5=2.0 10='milliwatts'}}
    1.2 8=4000000000 10=1 11={9=2 11=5 22='deadzone'}
    1.2 10=1 60={1=6 2='cellular network' 5=3 11=3 12=3 15=2}
    1.2 8=0 10=1 11={9=1 11=6 22='deadzone' 23='reachable'}
    1.2 8=8000000000 10=1 11={9=2 11=6 22='deadzone'}
    1.2 8=8000000000 10=1 11={9=1 11=6 22='deadzone' 23='no signal'}
    1.2 8=9000000000 10=1 11={9=2 11=6 22='deadzone'}
    1.2 8=9000000000 10=1 11={9=1 11=6 22='deadzone' 23='reachable'}
    1.2 8=20000000000 10=1 11={9=2 11=6 22='deadzone'}
    1.2 10=1 60={1=7 2='cellular radio' 5=3 11=3 12=4 15=2}
    1.2 8=0 10=1 11={9=1 11=7 22='deadzone' 23='idle' 4={5=10.0 10='milliwatts'}}
    1.2 8=4000000000 10=1 11={9=2 11=7 22='deadzone'}
    1.2 8=4250000000 10=1 11={9=1 11=7 22='deadzone' 23='active_up' 4={5=1000.0 10='milliwatts'}}
    1.2 8=5000000000 10=1 11={9=2 11=7 22='deadzone'}
    1.2 8=5000000000 10=1 11={9=1 11=7 22='deadzone' 23='tail' 4={5=500.0 10='milliwatts'}}
    1.2 8=7000000000 10=1 11={9=2 11=7 22='deadzone'}
    1.2 10=1 60={1=8 2='Power of the radios' 5=3 8={6='mW' 7='Power of the radios'} 11=3 12=5 15=2}
    1.2 8=0 10=1 11={9=4 11=8 22='deadzone' 44=12.0}
    1.2 8=4000000000 10=1 11={9=4 11=8 22='deadzone' 44=0.0}
    1.2 8=4250000000 10=1 11={9=4 11=8 22='deadzone' 44=1000.0}
    1.2 8=5000000000 10=1 11={9=4 11=8 22='deadzone' 44=500.0}
    1.2 8=7000000000 10=1 11={9=4 11=8 22='deadzone' 44=0.0}
    1.2 10=1 60={1=9 2='App' 5=3 11=3 12=6 15=2}
    1.2 8=0 10=1 11={9=1 11=9 22='deadzone' 23='in the foreground'}
    1.2 8=2000000000 10=1 11={9=2 11=9 22='deadzone'}
    1.2 8=2000000000 10=1 11={9=1 11=9 22='deadzone' 23='in the background'}
    1.2 8=8500000000 10=1 11={9=2 11=9 22='deadzone'}
    1.2 8=8500000000 10=1 11={9=1 11=9 22='deadzone' 23='not running'}
    1.2 8=9000000000 10=1 11={9=2 11=9 22='deadzone'}
    1.2 8=9000000000 10=1 11={9=1 11=9 22='deadzone' 23='in the foreground'}
    1.2 8=20000000000 10=1 11={9=2 11=9 22='deadzone'}
    1.2 10=1 60={1=10 2='stopped by the system' 5=9 11=3 12=0 15=2}
    1.2 8=12000000000 10=1 11={9=1 11=10 22='deadzone' 23='stopped by the system'}
    1.2 8=14000000000 10=1 11={9=2 11=10 22='deadzone'}
    1.2 10=1 60={1=11 2='maintenance window' 5=9 11=3 12=1 15=2}
    1.2 8=15000000000 10=1 11={9=1 11=11 22='deadzone' 23='maintenance window'}
    1.2 8=16000000000 10=1 11={9=2 11=11 22='deadzone'}
    1.2 10=1 60={1=12 2='awake, screen off' 5=9 11=3 12=2 15=2}
    1.2 8=9000000000 10=1 11={9=1 11=12 22='deadzone' 23='awake, screen off'}
    1.2 8=10000000000 10=1 11={9=2 11=12 22='deadzone'}
    1.2 10=1 60={1=13 2='Connection, believed open' 5=3 11=3 12=7 15=2}
    1.2 8=5000000000 10=1 11={9=1 11=13 22='deadzone' 23='works'}
    1.2 8=9000000000 10=1 11={9=2 11=13 22='deadzone'}
    1.2 8=9000000000 10=1 11={9=1 11=13 22='deadzone' 23='blocked'}
    1.2 8=10000000000 10=1 11={9=2 11=13 22='deadzone'}
    1.2 8=10000000000 10=1 11={9=1 11=13 22='deadzone' 23='dead, but believed open: a zombie'}
    1.2 8=12000000000 10=1 11={9=2 11=13 22='deadzone'}
    1.2 8=12000000000 10=1 11={9=1 11=13 22='deadzone' 23='dead, app frozen'}
    1.2 8=14000000000 10=1 11={9=2 11=13 22='deadzone'}
    1.2 10=1 60={1=14 2='Connection 2, believed open' 5=3 11=3 12=8 15=2}
    1.2 8=5000000000 10=1 11={9=1 11=14 22='deadzone' 23='works'}
    1.2 8=14000000000 10=1 11={9=2 11=14 22='deadzone'}
    1.2 10=1 60={1=15 2='Connection 3, believed open' 5=3 11=3 12=9 15=2}
    1.2 8=6000000000 10=1 11={9=1 11=15 22='deadzone' 23='works'}
    1.2 8=14000000000 10=1 11={9=2 11=15 22='deadzone'}
    1.2 8=7000000000 10=1 11={9=1 11=15 22='deadzone' 23='works'}
    1.2 8=13000000000 10=1 11={9=2 11=15 22='deadzone'}
    1.2 10=1 60={1=16 2='Events of the connection' 5=3 11=3 12=10 15=2}
    1.2 8=5500000000 10=1 11={9=3 11=16 22='deadzone' 23='ping'}
    1.2 8=6000000000 10=1 11={9=3 11=16 22='deadzone' 23='GOAWAY'}
    1.2 8=6500000000 10=1 11={9=3 11=16 22='deadzone' 23='attempt failed'}
    1.2 8=7000000000 10=1 11={9=3 11=16 22='deadzone' 23='a working connection given up'}
    1.2 8=7500000000 10=1 11={9=3 11=16 22='deadzone' 23='process ended'}
    1.2 8=7600000000 10=1 11={9=3 11=16 22='deadzone' 23='process ended'}
    1.2 8=8000000000 10=1 11={9=3 11=16 22='deadzone' 23='process began'}
    1.2 10=1 60={1=17 2='Packets' 5=3 11=3 12=11 15=2}
    1.2 8=5000000000 10=1 11={9=3 11=17 22='deadzone' 23='opening connections, up, 600 B, cellular'}
    1.2 8=6000000000 10=1 11={9=3 11=17 22='deadzone' 23='acknowledgements, down, 100 B, Wi-Fi'}
    1.2 10=1 60={1=18 2='Messages sent' 5=3 11=3 12=12 15=2}
    1.2 10=1 60={1=19 2='Messages seen' 5=3 11=3 12=13 15=2}
    1.2 10=1 60={1=20 2='Messages in flight' 5=3 8={6='messages' 7='Messages in flight'} 11=3 12=14 15=2}
    1.2 8=5000000000 10=1 11={9=3 11=18 22='deadzone' 23='to the app' 47=fixed 1}
    1.2 8=7000000000 10=1 11={9=3 11=19 22='deadzone' 23='to the app' 48=fixed 1}
    1.2 8=5000000000 10=1 11={9=3 11=18 22='deadzone' 23='to the app' 47=fixed 2}
    1.2 8=7500000000 10=1 11={9=3 11=19 22='deadzone' 23='to the app' 48=fixed 2}
    1.2 8=5000000000 10=1 11={9=3 11=18 22='deadzone' 23='to the app' 47=fixed 3}
    1.2 8=8000000000 10=1 11={9=3 11=19 22='deadzone' 23='to the app' 48=fixed 3}
    1.2 8=5500000000 10=1 11={9=3 11=18 22='deadzone' 23='to the server' 47=fixed 4}
    1.2 8=6000000000 10=1 11={9=3 11=19 22='deadzone' 23='to the server' 48=fixed 4}
    1.2 8=6000000000 10=1 11={9=3 11=18 22='deadzone' 23='to the app, never seen in this run'}
    1.2 8=5000000000 10=1 11={9=4 11=20 22='deadzone' 44=1.0}
    1.2 8=5000000000 10=1 11={9=4 11=20 22='deadzone' 44=2.0}
    1.2 8=5000000000 10=1 11={9=4 11=20 22='deadzone' 44=3.0}
    1.2 8=5500000000 10=1 11={9=4 11=20 22='deadzone' 44=4.0}
    1.2 8=6000000000 10=1 11={9=4 11=20 22='deadzone' 44=3.0}
    1.2 8=6000000000 10=1 11={9=4 11=20 22='deadzone' 44=4.0}
    1.2 8=7000000000 10=1 11={9=4 11=20 22='deadzone' 44=3.0}
    1.2 8=7500000000 10=1 11={9=4 11=20 22='deadzone' 44=2.0}
    1.2 8=8000000000 10=1 11={9=4 11=20 22='deadzone' 44=1.0}
    1.2 10=1 60={1=21 2='Energy so far' 5=3 8={6='J' 7='Energy so far'} 11=3 12=15 15=2}
    1.2 8=4000000000 10=1 11={9=4 11=21 22='deadzone' 44=0.048}
    1.2 8=4250000000 10=1 11={9=4 11=21 22='deadzone' 44=0.048}
    1.2 8=5000000000 10=1 11={9=4 11=21 22='deadzone' 44=0.798}
    1.2 8=5000000000 10=1 11={9=4 11=21 22='deadzone' 44=0.7984800000000001}
    1.2 8=6000000000 10=1 11={9=4 11=21 22='deadzone' 44=1.29848}
    1.2 8=6000000000 10=1 11={9=4 11=21 22='deadzone' 44=1.2984816000000001}
    1.2 8=7000000000 10=1 11={9=4 11=21 22='deadzone' 44=1.7984816000000001}
    1.2 8=9000000000 10=1 11={9=4 11=21 22='deadzone' 44=1.7984816000000001}
    1.2 8=9000000000 10=1 11={9=4 11=21 22='deadzone' 44=1.8584816000000002}
    1.2 8=10000000000 10=1 11={9=4 11=21 22='deadzone' 44=2.0584816000000004}
    1.2 10=1 60={1=22 2='tuned' 5=2 11=3 12=2 15=2}
    1.2 10=1 60={1=23 2='Power of the radios' 5=22 8={6='mW' 7='Power of the radios'} 11=3 12=1 15=2}
    1.2 10=1 60={1=24 2='Packets' 5=22 11=3 12=4 15=2}
    1.2 10=1 60={1=25 2='Energy so far' 5=22 8={6='J' 7='Energy so far'} 11=3 12=8 15=2}
    1.2 10=1 60={1=26 2='Scenario' 5=2 11=3 12=0 15=2}
    1.2 8=0 10=1 11={9=3 11=26 22='deadzone' 23='wifi on'}
    1.2 8=2000000000 10=1 11={9=3 11=26 22='deadzone' 23='to the back'}
    1.2 8=4000000000 10=1 11={9=3 11=26 22='deadzone' 23='wifi off'}
    1.2 8=4500000000 10=1 11={9=3 11=26 22='deadzone' 23='rain'}
    1.2 8=8000000000 10=1 11={9=3 11=26 22='deadzone' 23='dead zone'}
    1.2 8=8500000000 10=1 11={9=3 11=26 22='deadzone' 23='ended'}
    1.2 8=9000000000 10=1 11={9=3 11=26 22='deadzone' 23='to the front'}
    1.2 10=1 60={1=27 2='none' 5=1 11=3 12=1 15=2}
    """#
