import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

/// What can be said of a box that has a name.
public struct MiddleboxPage: Sendable {
    public let name: String
    /// Its numbers and where they are from.
    public let about: String
    public let page: String

    public static let all = Middlebox.presets.map(MiddleboxPage.init)

    private init(_ preset: Middlebox.Preset) {
        name = preset.name
        about = preset.about
        let timers = [("TCP", preset.box.tcp), ("UDP", preset.box.udp)].map { name, idle in
            "\(name): \(idle == .longest ? "never forgotten" : "forgotten after \(Measure.span.text(idle.nanoseconds))")."
        }
        let manner =
            switch preset.box.manner {
            case .drop: "Then packets vanish, both ways, and nobody is told."
            case .reset: "Then the next packet is answered with RST, to whoever sent it."
            case .oneWay: "Then what comes down vanishes until the phone sends something."
            case .close: "Then both ends are told at once."
            }
        page = (timers + [manner]).joined(separator: " ")
    }
}
