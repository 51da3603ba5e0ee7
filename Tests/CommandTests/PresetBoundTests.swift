import Foundation
import Testing

@testable import DeadzoneCommand

/// Longest wait of each preset in seconds: without jitter, and with the maximum jitter.
private let caps: [(String, Double, Double)] = [
    ("grpc-spec grpc-go grpc-swift-1 grpc-swift-2 grpc-core grpc-java grpc-android-okhttp grpc-ios-monitor", 120, 144),
    ("article-grpc-kotlin article-grpc-fixed", 30, 30), ("article-websocket deadzone-recommended", 32, 32),
    ("aws-none aws-full aws-equal aws-decorrelated", 2, 2), ("socket.io phoenix", 5, 5),
    ("supabase-realtime reconnecting-websocket", 10, 10), ("actioncable", 24.273346, 27.9143479),
    ("firebase-rtdb", 300, 300), ("firestore", 60, 90), ("paho-java", 128, 128), ("paho-python", 120, 120),
    ("discord-gateway", 1, 5), ("ably", 30, 30), ("pusher", 60, 60), ("centrifuge-js", 20, 20),
    ("signal-android", 30, 37.5), ("wechat-mars", 30, 30), ("rest-polling-30s", 30, 30),
    ("python-socketio", 4.5, 5.5), ("websockets", 90, 90), ("slixmpp", 300, 300), ("discord.py", 1_024, 1_024),
]

@Suite struct PresetBoundTests {
    @Test(arguments: caps)
    func noWaitPassesTheCap(_ names: String, _ cap: Double, _ highest: Double) throws {
        // Broken: a preset waits longer than the client that it is named after, or never reaches that wait.
        for name in names.split(separator: " ").map(String.init) {
            let rows = try schedule(name, "--failure refused --for 4h")
            let retries = rows.attempts.dropFirst()
            let last = try #require(retries.last)
            #expect(isClose(last.wait, cap) && isClose(last.high, highest), "\(name): \(last)")
            #expect(retries.allSatisfy { $0.high <= highest * 1.000_001 } && !rows.gaveUp, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("signalr", 4), ("nats", 60), ("nats-py", 60), ("realtime-py", 4),
            ("article-grpc-swift", 54),
        ] as [(String, Int)])
    func stopsWhereItsSourceStops(_ name: String, _ retries: Int) throws {
        // Broken: a preset never gives up, or gives up early.
        let rows = try schedule(name, "--failure refused --for 4h")
        #expect(rows.attempts.count == retries + 1 && rows.gaveUp)
    }

    @Test func followsTheGRPCSpecification() throws {
        // Broken: waits are counted from the failure of an attempt, or an attempt may last less than twenty seconds or
        // than the wait after it.
        let refused = try schedule("grpc-spec", "--failure refused --for 12m").attempts.map(\.at)
        let expected = [
            0, 1, 2.6, 5.16, 9.256, 15.81, 26.30, 43.07, 69.92, 112.87, 181.59, 291.54, 411.54, 531.54, 651.54,
        ]
        #expect(
            refused.count == expected.count && zip(refused, expected).allSatisfy { abs($0 - $1) < 0.01 }, "\(refused)")
        let silent = try schedule("grpc-spec", "--failure blackhole --for 12m").attempts.map(\.at)
        let waits = [0, 20, 40, 60, 80, 100, 120, 140, 166.84, 209.79, 278.51, 388.46, 508.46, 628.46]
        #expect(silent.count == waits.count && zip(silent, waits).allSatisfy { abs($0 - $1) < 0.01 }, "\(silent)")
    }

    private struct Row {
        let at: Double
        let wait: Double
        let low: Double
        let high: Double
        let limit: Double?
    }

    private func schedule(_ name: String, _ flags: String) throws -> (attempts: [Row], gaveUp: Bool) {
        let outcome = try TestWorkspace().run("schedule \(name) \(flags) --json")
        #expect(outcome.code == .ok, "\(name): \(outcome.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let rows = try #require(document["attempts"] as? [[String: Any]]).map { row in
            func number(_ key: String) -> Double { (row[key] as? NSNumber)?.doubleValue ?? -1 }
            return Row(
                at: number("at_s"), wait: number("delay_s"), low: number("delay_min_s"), high: number("delay_max_s"),
                limit: (row["timeout_s"] as? NSNumber)?.doubleValue)
        }
        return (rows, document["gave_up"] as? Bool ?? false)
    }

    private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= max(abs(b) * 0.000_01, 0.000_001) }
}
