import DeadzoneBase
import DeadzoneClient
import Testing

/// Backoff settings of published libraries, with their first waits in milliseconds.
struct PublishedLaw: Sendable, CustomTestStringConvertible {
    let name: String
    let setting: Setting
    /// Waits without jitter, and the bounds with jitter where they differ.
    let waits: [Int64]
    var lowest: [Int64]?
    var highest: [Int64]?
    /// Mean number of attempts of one client in an outage of 60, 300, 600 and 1,800 s, where each attempt fails at
    /// once.
    var attempts: [Double]?
    /// Attempts of 10,000 such clients in the fullest second of the first minute, and in the fullest second of the
    /// next two.
    var peaks: [Double]?

    var testDescription: String { name }

    var law: Backoff {
        var reader = SettingsReader(.map([.init(key: "backoff", value: setting.node)]), of: name)
        let retry = reader.retry(
            "backoff", slot: TimerSlot(0), default: Backoff(base: .zero, cap: .zero, jitter: .none))
        reader.finish()
        precondition(reader.faults.isEmpty, "\(name): \(reader.faults.sorted.map(\.message))")
        return retry.backoff
    }
}

extension PublishedLaw {
    static let gRPC: Setting = [
        "base": "1s", "multiplier": "1.6", "cap": "120s", "jitter": "20%", "first-jitter": "none", "from": "attempt",
        "min-connect-timeout": "20s",
    ]

    static let all: [PublishedLaw] = [
        // grpc/grpc `doc/connection-backoff.md`
        PublishedLaw(
            name: "gRPC", setting: gRPC, waits: [1_000, 1_600, 2_560, 4_096], lowest: [1_000, 1_280, 2_048, 3_276],
            highest: [1_000, 1_920, 3_072, 4_915], attempts: [7.0, 10.7, 13.0, 23.1], peaks: [10_000, 951]),
        // grpc/grpc-java `core/.../internal/ExponentialBackoffPolicy.java`
        PublishedLaw(
            name: "gRPC in Java", setting: ["base": "1s", "multiplier": "1.6", "cap": "120s", "jitter": "20%"],
            waits: [1_000, 1_600, 2_560, 4_096], lowest: [800, 1_280, 2_048, 3_276],
            highest: [1_200, 1_920, 3_072, 4_915], attempts: [7.0, 10.7, 13.0, 23.1], peaks: [9_743, 948]),
        PublishedLaw(
            name: "doubling to 32 s", setting: ["base": "500ms", "cap": "32s", "jitter": "none"],
            waits: [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000], attempts: [6, 14, 23, 61],
            peaks: [10_000, 10_000]),
        PublishedLaw(
            name: "full jitter", setting: ["base": "500ms", "cap": "32s", "jitter": "full"],
            waits: [500, 1_000, 2_000], lowest: [0, 0, 0], highest: [500, 1_000, 2_000],
            attempts: [8.4, 23.5, 42.2, 117.3], peaks: [19_206, 694]),
        PublishedLaw(
            name: "equal jitter", setting: ["base": "500ms", "cap": "32s", "jitter": "equal"],
            waits: [500, 1_000, 2_000], lowest: [250, 500, 1_000], highest: [500, 1_000, 2_000],
            attempts: [7.1, 17.0, 29.5, 79.6], peaks: [12_562, 570]),
        PublishedLaw(
            name: "decorrelated jitter", setting: ["base": "500ms", "cap": "32s", "jitter": "decorrelated"],
            waits: [1_500, 4_500, 13_500, 32_000], lowest: [500, 500, 500, 500],
            highest: [1_500, 4_500, 13_500, 32_000], attempts: [10.2, 24.3, 41.1, 109.0], peaks: [7_970, 766]),
        // socketio/socket.io `packages/socket.io-client/lib/contrib/backo2.ts`: the sixth wait has no jitter at all
        PublishedLaw(
            name: "socket.io",
            setting: ["base": "1s", "cap": "5s", "capped": "after-jitter", "jitter": ["parity": "50%"]],
            waits: [1_000, 2_000, 4_000, 5_000, 5_000, 5_000], lowest: [500, 1_000, 2_000, 4_000, 5_000, 5_000],
            highest: [1_500, 3_000, 5_000, 5_000, 5_000, 5_000], attempts: [13.1, 61.1, 121.1, 361.1],
            peaks: [5_470, 3_053]),
        // phoenixframework/phoenix `assets/js/phoenix/socket.js`
        PublishedLaw(
            name: "phoenix",
            setting: ["table": ["10ms", "50ms", "100ms", "150ms", "200ms", "250ms", "500ms", "1s", "2s", "5s"]],
            waits: [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000, 5_000], attempts: [20, 68, 128, 368],
            peaks: [60_000, 10_000]),
        // dotnet/aspnetcore `src/SignalR/clients/ts/signalr/src/DefaultReconnectPolicy.ts`
        PublishedLaw(
            name: "SignalR", setting: ["table": ["0s", "2s", "10s", "30s"], "give-up": ["retries": "4"]],
            waits: [0, 2_000, 10_000, 30_000]),
        // pladaria/reconnecting-websocket `reconnecting-websocket.ts`
        PublishedLaw(
            name: "reconnecting-websocket",
            setting: [
                "base": "1s", "multiplier": "1.3", "cap": "10s", "jitter": ["per-process": ["0s", "4s"]],
            ], waits: [1_000, 1_300, 1_690], lowest: [1_000, 1_300, 1_690], highest: [5_000, 6_500, 8_450]),
        // enisdenjo/graphql-ws CHANGELOG 3.0.0
        PublishedLaw(
            name: "graphql-ws",
            setting: ["base": "1s", "cap": "1h", "jitter": ["plus": ["300ms", "3s"]], "give-up": ["retries": "5"]],
            waits: [1_000, 2_000, 4_000], lowest: [1_300, 2_300, 4_300], highest: [4_000, 5_000, 7_000]),
        // rails/rails `actioncable/app/javascript/action_cable/connection_monitor.js`
        PublishedLaw(
            name: "Action Cable",
            setting: [
                "base": "6s", "multiplier": "1.15", "cap": "24273346us", "jitter": ["times": ["1", "1.15"]],
                "first-jitter": ["times": ["1", "2"]],
            ], waits: [6_000, 6_900, 7_935], lowest: [6_000, 6_900, 7_935], highest: [12_000, 7_935, 9_125]),
        // firebase/firebase-js-sdk `packages/firestore/src/remote/backoff.ts`
        PublishedLaw(
            name: "Firestore",
            setting: [
                "first": "0s", "base": "1s", "multiplier": "1.5", "cap": "60s", "jitter": "50%", "from": "attempt",
            ], waits: [0, 1_000, 1_500, 2_250], lowest: [0, 500, 750, 1_125], highest: [0, 1_500, 2_250, 3_375]),
        // firebase/firebase-js-sdk `packages/database/src/core/PersistentConnection.ts`
        PublishedLaw(
            name: "Realtime Database",
            setting: [
                "base": "1s", "multiplier": "1.3", "cap": "300s", "jitter": "full", "from": "attempt-then-jitter",
                "reset": ["up": "30s"], "in-background": "longest-wait",
            ], waits: [1_000, 1_300, 1_690], lowest: [0, 0, 0], highest: [1_000, 1_300, 1_690],
            attempts: [13.4, 19.4, 22.1, 30.1], peaks: [14_896, 638]),
        // slackapi/node-slack-sdk `packages/socket-mode/src/SocketModeClient.ts`
        PublishedLaw(
            name: "Slack", setting: ["base": "5s", "step": "5s", "cap": "24h", "jitter": "none"],
            waits: [5_000, 10_000, 15_000, 20_000]),
        // ably/ably-js `src/common/lib/util/utils.ts`
        PublishedLaw(
            name: "Ably", setting: ["base": "15s", "step": "5s", "cap": "30s", "jitter": ["times": ["0.8", "1"]]],
            waits: [15_000, 20_000, 25_000, 30_000, 30_000], lowest: [12_000, 16_000, 20_000, 24_000, 24_000],
            highest: [15_000, 20_000, 25_000, 30_000, 30_000], attempts: [3, 11.7, 22.8, 67.2], peaks: [3_394, 1_397]),
        // centrifugal/centrifuge-js `src/utils.ts`
        PublishedLaw(
            name: "Centrifuge",
            setting: ["base": "500ms", "cap": "20s", "capped": "both", "jitter": "full", "plus": "500ms"],
            waits: [1_000, 1_500, 2_500, 4_500, 8_500, 16_500, 20_000],
            lowest: [500, 500, 500, 500, 500, 500, 500],
            highest: [1_000, 1_500, 2_500, 4_500, 8_500, 16_500, 20_000], attempts: [9.5, 32.5, 61.1, 175.4],
            peaks: [10_000, 1_034]),
        // nats-io/nats.go `nats.go`
        PublishedLaw(
            name: "NATS", setting: ["base": "2s", "multiplier": "1", "jitter": "none", "give-up": ["retries": "60"]],
            waits: [2_000, 2_000, 2_000]),
        // The first article, in Kotlin and in Swift.
        PublishedLaw(
            name: "article in Kotlin", setting: ["base": "500ms", "cap": "30s", "jitter": "none"],
            waits: [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]),
        PublishedLaw(
            name: "article in Swift", setting: ["base": "1s", "cap": "30s", "jitter": "none"],
            waits: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]),
    ]
}
