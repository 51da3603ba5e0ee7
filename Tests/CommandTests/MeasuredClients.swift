import Testing

/// Measured retries of real clients with default settings, November 2026, on Linux 6.18 over loopback. An attempt is
/// the first SYN of a source port, observed by a packet socket.
/// - `refused`: the port is closed.
/// - `frozen`: the kernel accepts connections, but no process reads or writes.
/// - `blackhole`: the accept queue of the listener is full, so SYNs are dropped.
/// Clients that only retry after a connection had one for 15 s, which was then reset. Python clients came from PyPI and
/// ran in CPython 3.11. JavaScript clients ran from source, at the commits that the presets name, in Node 20.20.2 with
/// ws 8.11.0. Go and Java clients were those of Debian 12, in a world of `deadzone live`. The clients at the end
/// ran from source in such a world.
struct MeasuredAttempts: Sendable, CustomTestStringConvertible {
    let preset: String
    let client: String
    let failure: String
    /// Attempt of the preset's schedule before the first gap. Earlier attempts followed a connection or were not
    /// observed.
    var after = 0
    /// Gaps between attempts, in seconds.
    let gaps: [Double]
    /// Tolerances for the machine and for the library's own clock, in seconds, in addition to 1 %.
    var earlyTolerance = 0.03
    var lateTolerance = 0.15

    var testDescription: String { "\(client), \(failure)" }

    private static let grpc = "grpcio 1.85.1"
    private static let grpcGo = "grpc-go 1.33.3"
    private static let grpcJava = "grpc-java 1.41.3"
    private static let paho = "paho-mqtt 2.2.0"
    private static let nats = "nats-py 2.16.0"
    private static let realtime = "realtime 2.34.1"
    private static let websockets = "websockets 15.0.1"
    private static let socketIO = "python-socketio 5.18.1"
    private static let discord = "discord.py 2.7.1"

    static let all: [MeasuredAttempts] = [
        .init(
            preset: "grpc-core", client: grpc, failure: "refused",
            gaps: [
                0.83, 1.28, 3.03, 4.81, 7.42, 10.70, 15.45, 22.21, 40.24, 63.01, 92.80, 141.86, 116.39, 109.10, 140.73,
            ]),
        .init(
            preset: "grpc-core", client: grpc, failure: "frozen",
            gaps: [20, 20, 20, 20, 20, 20, 20, 27.95, 47.01, 79.91, 97.05, 115.82, 120.31, 101.28, 105.77, 143.25]),
        .init(
            preset: "grpc-core", client: grpc, failure: "blackhole",
            gaps: [20, 20, 20, 20, 20, 20, 20, 21.98, 48.23, 81.16, 94.59, 134.13, 140.80, 105.59]),
        .init(
            preset: "grpc-go", client: grpcGo, failure: "refused",
            gaps: [
                1.01, 1.56, 2.73, 3.74, 6.93, 10.37, 15.04, 23.47, 35.73, 56.44, 118.65, 129.88, 107.02, 108.51, 118.49,
                104.36,
            ]),
        .init(
            preset: "grpc-go", client: grpcGo, failure: "blackhole",
            gaps: [21.02, 21.81, 22.31, 24.78, 26.73, 28.98, 34.23, 46.13, 81.39, 131.64, 242.31]),
        .init(
            preset: "grpc-go", client: grpcGo, failure: "frozen",
            gaps: [21.02, 21.87, 23.08, 24.47, 26.28, 31.89, 40.09, 48.37, 91.75, 153.26, 242.94]),
        .init(
            preset: "grpc-java", client: grpcJava, failure: "refused",
            gaps: [
                1.07, 1.59, 2.48, 4.25, 6.46, 11.19, 17.41, 30.84, 42.56, 70.95, 114.38, 142.03, 130.48, 121.32, 118.98,
            ]),
        .init(
            preset: "grpc-java", client: grpcJava, failure: "blackhole",
            gaps: [
                30.04, 30.03, 30.03, 30.03, 30.03, 30.03, 30.03, 30.03, 46.51, 80.35, 115.07, 119.89, 109.27, 142.22,
            ]),
        .init(
            preset: "paho-python", client: paho, failure: "refused",
            gaps: [1.01, 2, 4, 8, 16, 32, 64, 120, 120, 120, 120, 120]),
        .init(
            preset: "paho-python", client: paho, failure: "frozen",
            gaps: [61.05, 62.06, 64.06, 68.07, 76.07, 92.07, 124.06, 180.07, 180.07]),
        .init(
            preset: "paho-python", client: paho, failure: "blackhole", after: 2,
            gaps: [9, 13, 21, 37, 69.01, 125, 125.01, 125, 125]),
        .init(
            preset: "nats-py", client: nats, failure: "refused",
            gaps: [2, 2, 2, 2, 2, 2, 2, 2.01, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2.01, 2]),
        .init(
            preset: "nats-py", client: nats, failure: "frozen",
            gaps: [4, 4, 4.01, 4.01, 4, 4, 4, 4, 4.01, 4.01, 4, 4.01, 4.01, 4, 4]),
        .init(
            preset: "nats-py", client: nats, failure: "blackhole",
            gaps: [4.01, 4, 4, 4, 4, 4, 4, 4, 4, 4.01, 4, 4, 4.01, 4.01, 4]),
        .init(preset: "realtime-py", client: realtime, failure: "refused", gaps: [1, 2, 4, 8.01]),
        .init(preset: "realtime-py", client: realtime, failure: "frozen", gaps: [11, 12.01, 14.02, 18.02]),
        .init(preset: "realtime-py", client: realtime, failure: "blackhole", gaps: [11, 12.01, 14.01, 18.02]),
        .init(
            preset: "websockets", client: websockets, failure: "refused",
            gaps: [0.94, 3.10, 5.02, 8.12, 13.15, 21.26, 34.41, 55.67, 90.08, 90.09, 90.09, 90.09]),
        .init(
            preset: "websockets", client: websockets, failure: "frozen",
            gaps: [12.46, 13.11, 15.03, 18.13, 23.15, 31.28, 44.42, 65.66, 100.09, 100.10, 100.10]),
        .init(
            preset: "websockets", client: websockets, failure: "blackhole",
            gaps: [12.18, 13.11, 15.03, 18.14, 23.15, 31.28, 44.42, 65.68, 100.09, 100.10, 100.10]),
        .init(
            preset: "python-socketio", client: socketIO, failure: "refused",
            gaps: [0.66, 2.39, 3.64, 5, 4.69, 5.26, 5.39, 4.64, 4.79, 4.55, 5.49, 5.14, 5.30, 5.12]),
        // aiohttp's timeout of 5 s ends at a whole second of its clock, after 5 to 6 s. The preset has the middle.
        .init(
            preset: "python-socketio", client: socketIO, failure: "frozen", after: 1,
            gaps: [7.94, 9.59, 10.55, 10.98, 11, 11.02, 10.88, 11.28, 10.83, 10.48, 10.46, 10.58, 9.76],
            earlyTolerance: 0.5,
            lateTolerance: 0.5),
        .init(
            preset: "python-socketio", client: socketIO, failure: "blackhole", after: 1,
            gaps: [7.47, 9.16, 9.90, 10.62, 10.68, 10.47, 10.60, 10.55, 10.43, 10.70], earlyTolerance: 0.5,
            lateTolerance: 0.5),
        // Each attempt is two connections, by TLS and by STARTTLS, within 2 ms.
        .init(
            preset: "slixmpp", client: "slixmpp 1.17.0", failure: "refused",
            gaps: [5.01, 15.02, 35.04, 75.08, 155.10, 300.10]),
        .init(
            preset: "discord.py", client: discord, failure: "refused",
            gaps: [1.93, 0.62, 6.90, 15.05, 14.15, 49.97, 113.85, 172.95, 360.25]),
        .init(
            preset: "discord.py", client: discord, failure: "frozen",
            gaps: [61.44, 61.35, 60.48, 61.74, 88.74, 77.14, 174.22, 309.42]),
        .init(
            preset: "discord.py", client: discord, failure: "blackhole",
            gaps: [31.15, 33.69, 31.86, 45.82, 35.28, 87.63, 42.80, 105.82, 246.57]),
        .init(
            preset: "phoenix", client: "phoenix.js", failure: "refused", after: 1,
            gaps: [0.06, 0.10, 0.16, 0.20, 0.26, 0.51, 1, 2, 5, 5, 5, 5, 5, 5.01]),
        .init(
            preset: "supabase-realtime", client: "@supabase/phoenix", failure: "refused",
            gaps: [1.02, 2, 5.01, 10.01, 10.01, 10.01, 10.01]),
        .init(
            preset: "centrifuge-js", client: "centrifuge-js", failure: "refused",
            gaps: [0.89, 1, 2.38, 3.55, 7.48, 8.43, 1.83, 0.98, 11.10, 10.15, 6.57, 20.01, 18, 7.32, 9.35, 7.43, 16.87]),
        .init(
            preset: "centrifuge-js", client: "centrifuge-js", failure: "frozen", after: 1,
            gaps: [5.80, 6.65, 8.90, 9.25, 18.86, 23.38, 25.02, 6.95, 17.94, 6.94, 8.76, 12.50, 23.66, 24.92]),
        .init(
            preset: "actioncable", client: "Action Cable", failure: "refused",
            gaps: [
                11.34, 7.28, 8.91, 10.04, 10.91, 13.20, 15.94, 17.84, 18.60, 22.96, 25.87, 24.89, 24.90, 24.77, 26.52,
            ]),
        .init(preset: "pusher", client: "pusher-js", failure: "refused", gaps: [15, 30.01, 60.01, 60.01, 60.01]),
        .init(preset: "pusher", client: "pusher-js", failure: "frozen", gaps: [15.01, 30.01, 60.01, 60.01, 60.01]),
        .init(
            preset: "socket.io", client: "socket.io-client 4.8.3", failure: "refused",
            gaps: [0.90, 1.19, 4.66, 5, 5.01, 5.01, 5.01, 5.01, 5.01, 5.01, 5.01, 5]),
        .init(
            preset: "socket.io", client: "socket.io-client 4.8.3", failure: "frozen",
            gaps: [20.60, 22.97, 24.33, 25, 25, 25, 25, 25, 25, 25, 25, 25.01]),
        .init(
            preset: "reconnecting-websocket", client: "reconnecting-websocket 4.4.0", failure: "refused",
            gaps: [3.15, 4.10, 5.32, 6.92, 8.99, 10, 10, 10, 10.01, 10]),
        .init(
            preset: "reconnecting-websocket", client: "reconnecting-websocket 4.4.0", failure: "frozen",
            gaps: [7.66, 8.76, 10.18, 12.04, 14, 14, 14, 14, 14, 14]),
        .init(
            preset: "nats", client: "nats.go 1.22.1", failure: "refused",
            gaps: [2.04, 2.05, 2.08, 2.06, 2.10, 2.01, 2.05, 2.05, 2.07, 2.03, 2.10, 2.09]),
        .init(
            preset: "nats", client: "nats.go 1.22.1", failure: "frozen",
            gaps: [4.03, 4.07, 4.06, 4.02, 4.03, 4.02, 4.08, 4.07, 4.08, 4.07, 4.03, 4.06]),
        .init(
            preset: "paho-java", client: "paho.mqtt.java 1.2.6", failure: "refused", after: 1,
            gaps: [2, 4, 8, 16, 32.01, 64.01, 128.01, 128, 128, 128, 128.01]),
        .init(
            preset: "paho-java", client: "paho.mqtt.java 1.2.6", failure: "blackhole", after: 1,
            gaps: [32, 34, 38, 46, 62, 94, 158, 158, 158]),
        .init(
            preset: "slack-socket-mode", client: "socket-mode 3.0.0", failure: "refused",
            gaps: [1.01, 1.31, 1.69, 2.20, 2.86, 3.72, 4.83, 6.28, 8.16, 10.61, 13.79, 17.93]),
        .init(
            preset: "firebase-rtdb", client: "firebase-js-sdk", failure: "refused",
            gaps: [0.30, 0.45, 0.99, 1.94, 0.03, 2.31, 4.01, 5.94, 6.97, 5.81, 3.95, 6.86]),
        .init(
            preset: "firebase-rtdb", client: "firebase-js-sdk", failure: "frozen",
            gaps: [29.99, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30]),
        .init(
            preset: "firestore", client: "firebase-js-sdk", failure: "refused", after: 1,
            gaps: [0.89, 1.32, 1.33, 4.14, 5.08, 8.71, 11.13, 14.13, 25.82, 41.24, 78.38, 78.83]),
        .init(preset: "signalr", client: "SignalR 6.0.0", failure: "refused", after: 1, gaps: [2.01, 10, 30]),
        .init(preset: "ably", client: "ably-js 2.26.0", failure: "refused", gaps: [12.84, 17.74, 22.16, 27.43, 27.66]),
        .init(preset: "ably", client: "ably-js 2.26.0", failure: "frozen", gaps: [27.89, 33.94, 36.10]),
    ]
}

/// Measured detection of a silent connection by the same clients. The connection falls silent 15 s after it opened,
/// while new ones are answered. `reconnectTimes` are the times from the silence to the next attempt, in seconds.
struct MeasuredSilence: Sendable, CustomTestStringConvertible {
    let preset: String
    /// YAML of the simulated server, with the heartbeats that it sends.
    var server = "{think: 0s}"
    let reconnectTimes: [Double]
    /// Range of the wait between the detection and the attempt, in seconds.
    let waits: ClosedRange<Double>

    var testDescription: String { preset }

    static let all: [MeasuredSilence] = [
        .init(preset: "paho-python", reconnectTimes: [106.04], waits: 1...1),
        .init(preset: "nats-py", reconnectTimes: [345.22], waits: 0...0),
        .init(preset: "realtime-py", reconnectTimes: [34.97], waits: 0...0),
        .init(preset: "websockets", reconnectTimes: [34.95], waits: 0...0),
        .init(preset: "python-socketio", server: "{heartbeat: socket.io}", reconnectTimes: [31.29], waits: 0.5...1.5),
        .init(preset: "discord.py", reconnectTimes: [44.97], waits: 0...0),
        .init(preset: "phoenix", reconnectTimes: [46.63], waits: 1.51...1.51),
        .init(preset: "supabase-realtime", reconnectTimes: [37.62], waits: 2.5...2.5),
        .init(preset: "centrifuge-js", server: "{heartbeat: centrifugo}", reconnectTimes: [20.75], waits: 0.5...1),
        .init(preset: "pusher", reconnectTimes: [135.12], waits: 0...0),
    ]
}
