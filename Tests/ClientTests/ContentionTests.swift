import DeadzoneBase
import DeadzoneClient
import Testing

/// Clients that all update the same row of a database. A client starts again if another update came first. Marc
/// Brooker measured jitter with this contention model. Model and figures: aws-samples/aws-arch-backoff-simulator
/// `src/backoff_simulator.py`. Each leg over the network takes |Normal(10, 2)| ms; the server takes no time.
struct DatabaseContention {
    private let leg = Distribution.normal(mean: 10_000_000, deviation: 2_000_000)
    /// `nil` retries at once.
    let law: Backoff?

    private enum Step { case read, write(version: Int), reply(succeeded: Bool), done }

    /// Returns the number of writes that reached the server, and the time of the last reply.
    func run(clients: Int, seed: UInt64) -> (calls: Int, ends: Instant) {
        var net = Dice(seed: seed, phone: PhoneID(0), purpose: .linkWifiUp)
        var dice = (0..<UInt32(clients)).map { Dice(seed: seed, phone: PhoneID($0), purpose: .strategy) }
        var attempts = [Backoff.Attempts](repeating: Backoff.Attempts(), count: clients)
        // The next step of each client and its time. A read or a write happens at the server, the reply to a write at
        // the client.
        var next = (0..<clients).map { _ in (at: Instant.zero + crossing(&net), step: Step.read) }
        var (version, calls, open, now) = (0, 0, clients, Instant.zero)
        while open > 0 {
            let client = next.indices.min { next[$0].at < next[$1].at }!
            now = next[client].at
            switch next[client].step {
            case .read:
                // The answer and the write that follows it at once; the write reaches the server two legs later.
                next[client] = (now + crossing(&net) + crossing(&net), .write(version: version))
            case .write(let read):
                calls += 1
                next[client] = (now + crossing(&net), .reply(succeeded: read == version))
                if read == version { version += 1 }
            case .reply(true), .done:
                next[client] = (.never, .done)
                open -= 1
            case .reply(false):
                let wait = law?.next(&attempts[client], using: &dice[client]) ?? .zero
                next[client] = (now + crossing(&net) + wait, .read)
            }
        }
        return (calls, now)
    }

    private func crossing(_ net: inout Dice) -> TimeSpan { TimeSpan(nanoseconds: abs(leg.draw(net.next()))) }
}

@Suite struct ContentionTests {
    struct MeanWithError: Sendable {
        let mean: Double
        let error: Double
    }

    struct PolicyFigures: Sendable, CustomTestStringConvertible {
        let policy: String
        let clients: Int
        let law: Backoff?
        let calls: MeanWithError
        let milliseconds: MeanWithError

        var testDescription: String { "\(policy), \(clients) clients" }
    }

    /// Attempts of the simulator are numbered from 1, so the first wait of its exponential law is 2 × 5 ms.
    private static func law(_ jitter: Backoff.JitterRule) -> Backoff {
        Backoff(base: .milliseconds(jitter == .decorrelated ? 5 : 10), cap: .seconds(2), jitter: jitter)
    }

    private static func row(
        _ policy: String, _ clients: Int, _ law: Backoff?, _ calls: Double, _ callsError: Double, _ time: Double,
        _ timeError: Double
    ) -> PolicyFigures {
        PolicyFigures(
            policy: policy, clients: clients, law: law, calls: MeanWithError(mean: calls, error: callsError),
            milliseconds: MeanWithError(mean: time, error: timeError))
    }

    /// Means of a thousand trials of the simulator, with their standard errors.
    static let rows: [PolicyFigures] = [
        row("at once", 10, nil, 50.9, 0.1, 380, 1), row("no jitter", 10, law(.none), 50.8, 0.1, 3_450, 42),
        row("equal", 10, law(.equal), 42.5, 0.1, 733, 6), row("full", 10, law(.full), 39.1, 0.1, 467, 3),
        row("decorrelated", 10, law(.decorrelated), 37.8, 0.1, 441, 3),
        row("at once", 50, nil, 690.1, 0.5, 1_142, 1), row("no jitter", 50, law(.none), 621.9, 0.9, 36_255, 105),
        row("equal", 50, law(.equal), 347.1, 0.2, 4_262, 17), row("full", 50, law(.full), 332.5, 0.2, 2_893, 17),
        row("decorrelated", 50, law(.decorrelated), 374.1, 0.4, 2_199, 15),
    ]

    /// Broken: under contention, our backoff laws need a different number of calls or a different time than in the
    /// article that they are taken from.
    @Test(arguments: rows)
    func costsMatchTheArticle(_ row: PolicyFigures) {
        let trials = row.clients == 10 ? 200 : 60
        let contention = DatabaseContention(law: row.law)
        let runs = (1...UInt64(trials)).map { contention.run(clients: row.clients, seed: $0) }
        check(runs.map { Double($0.calls) }, row.calls, "calls")
        check(runs.map { Double($0.ends.nanoseconds) / 1e6 }, row.milliseconds, "ms")
        #expect(runs.allSatisfy { $0.calls > row.clients })
    }

    private func check(_ values: [Double], _ figure: MeanWithError, _ unit: String) {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        let error = (variance / count + figure.error * figure.error).squareRoot()
        #expect(abs(mean - figure.mean) <= 3 * error, "\(mean) instead of \(figure.mean) \(unit), error \(error)")
    }
}
