import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Foundation
import Testing
@testable import DeadzoneReports

@Suite struct EventLineFormatterTests {
    @Test("Every kind of record is exported as one line of JSON")
    func everyKindIsOneLine() throws {
        let line = EventLineFormatter(strategy: "tuned", replica: 3)
        var names: Set<String> = []
        for kind in RecordKind.allCases {
            for tag: UInt16 in [0, 1, 2, 65_535] {
                let record = Record(at: Instant(nanoseconds: 1_500), phone: 7, kind: kind, tag: tag, value: 42)
                let text = line.text(record)
                #expect(!text.contains("\n"))
                let event = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
                #expect(event["at_ns"] as? Int == 1_500 && event["phone"] as? Int == 7 && event["replica"] as? Int == 3)
                names.insert(try #require(event["event"] as? String))
            }
        }
        #expect(names.count == RecordKind.allCases.count)
    }

    @Test("A line does not repeat the values of an earlier record of its kind")
    func linesOfOneKindDiffer() {
        let line = EventLineFormatter(strategy: "tu\"ned", replica: 3, conditions: [1: "6m: handoff"])
        var lines = EventLineWriter(line)
        for kind in RecordKind.allCases {
            for tag: UInt16 in [0, 1, 1, 2] {
                for value in [0, 1, -42, Int64.max, .min] {
                    let at = Instant(nanoseconds: value.magnitude % 2 == 0 ? 0 : .max)
                    let record = Record(at: at, phone: UInt32(tag) * 10, kind: kind, tag: tag, value: value)
                    var bytes: [UInt8] = []
                    lines.append(record, to: &bytes)
                    #expect(String(decoding: bytes, as: UTF8.self) == line.text(record) + "\n")
                }
            }
        }
    }

    @Test("A phone in a group names the strategy that it runs")
    func phoneInAGroupNamesItsStrategy() throws {
        let line = EventLineFormatter(
            strategy: "tuned",
            groups: [
                .init("first", of: 1..<2), .init("second", of: 2..<4, running: "old"),
                .init("third", of: 6..<7, running: "older"),
            ], replica: 0)
        let groups = [1: "first", 2: "second", 3: "second", 6: "third"]
        var lines = EventLineWriter(line)
        // The same kind and tag throughout, so that a cached line of another phone is detected.
        for (phone, name) in [(0, "tuned"), (2, "old"), (1, "tuned"), (6, "older"), (3, "old"), (4, "tuned")] {
            let record = Record(at: .zero, phone: UInt32(phone), kind: .opened, tag: 0, value: 0)
            var bytes: [UInt8] = []
            lines.append(record, to: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text == line.text(record) + "\n")
            let event = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(event["strategy"] as? String == name && event["phone"] as? Int == phone, "\(text)")
            #expect(event["group"] as? String == groups[phone], "\(text)")
            #expect(event["run"] as? String == (name == "tuned" ? nil : "tuned"), "\(text)")
        }
    }

    @Test("The words of an event are those of the metrics")
    func eventsUseTheWordsOfTheMetrics() {
        let line = EventLineFormatter(strategy: "tuned", replica: 0)
        let tail = RadioTag(interface: .cellular, level: PowerLevel.secondTail, cause: .otherApps)
        let sent = BytesTag(interface: .wifi, direction: .up, cause: .keepalive)
        let table: [(RecordKind, UInt16, String)] = [
            (
                .residency, tail.bits,
                #"{"at_ns": 5, "cause": "other_apps", "event": "residency", "interface": "cellular", "level": "second_tail", "phone": 0, "replica": 0, "span_ns": 9, "state": "tail", "strategy": "tuned"}"#
            ),
            (
                .bytes, sent.bits,
                #"{"at_ns": 5, "bytes": 9, "cause": "keepalive", "direction": "up", "event": "bytes", "interface": "wifi", "phone": 0, "replica": 0, "strategy": "tuned"}"#
            ),
            (
                .closed, CloseCode.pathLost.rawValue,
                #"{"at_ns": 5, "connection": 9, "event": "closed", "phone": 0, "reason": "path_lost", "replica": 0, "strategy": "tuned"}"#
            ),
        ]
        for (kind, tag, text) in table {
            let record = Record(at: Instant(nanoseconds: 5), phone: 0, kind: kind, tag: tag, value: 9)
            #expect(line.text(record) == text)
        }
    }

    @Test("Tags are written as words, not as numbers")
    func tagsAreWords() throws {
        let line = EventLineFormatter(strategy: "tuned", replica: 0, conditions: [4: "6m: handoff cellular"])
        let table: [(RecordKind, UInt16, [String: String])] = [
            (.awake, UInt16(Cause.push.rawValue), ["cause": "push", "span_ns": "9"]),
            (.woke, UInt16(Cause.otherApps.rawValue), ["cause": "other_apps"]),
            (.suspended, SuspensionCode.frozen.rawValue, ["reason": "frozen", "span_ns": "9"]),
            (.timerLate, 3, ["timer": "3", "after_ns": "9"]),
            (.networkTold, NetworkCode.losing.rawValue, ["network": "losing", "interface": "9"]),
            (.serverExpired, 0, ["connection": "9"]),
            (.callFailed, CallCode.deadlineExceeded.rawValue, ["reason": "deadline_exceeded", "after_ns": "9"]),
            (.callOutage, 7, ["calls": "7", "span_ns": "9"]),
            (.mappingExpired, UInt16(Interface.cellular.rawValue), ["interface": "cellular"]),
            (.transportChanged, TransportCode.longPolling.rawValue, ["transport": "long_polling", "connection": "9"]),
            (.resolved, ResolutionCode.cached.rawValue, ["result": "cached", "after_ns": "9"]),
            (.herdBack, 1, ["after_trigger": "1", "after_ns": "9"]), (.serverHeld, 0, ["span_ns": "9"]),
            (.goAway, GoAwayCode.tooManyPings.rawValue, ["reason": "too_many_pings"]),
            (.weather, 4, ["change": "6m: handoff cellular", "took_effect": "1"]),
            (.weather, 5, ["change": "5"]), (.goAway, 999, ["reason": "999"]), (.woke, 300, ["cause": "300"]),
        ]
        for (kind, tag, words) in table {
            let text = line.text(Record(at: Instant(nanoseconds: 5), phone: 0, kind: kind, tag: tag, value: 9))
            let event = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            for (key, word) in words { #expect(event[key].map { "\($0)" } == word, "\(text)") }
        }
    }
}
