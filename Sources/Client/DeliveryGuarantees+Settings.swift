public import DeadzoneBase

extension SettingsReader {
    /// Reads the delivery guarantees that a strategy claims, written as `claims: {up: exactly-once, down:
    /// at-least-once, ordered: true}`.
    public mutating func deliveryGuarantees(_ key: String, _ help: String = "") -> DeliveryGuarantees {
        group(key, help) { settings in
            let words: [(String, DeliveryGuarantees.DeliveryGuarantee)] = [
                ("nothing", .nothing), ("at-most-once", .atMostOnce), ("at-least-once", .atLeastOnce),
                ("exactly-once", .exactlyOnce),
            ]
            return DeliveryGuarantees(
                up: settings.word("up", of: words, default: .nothing, "guarantee for messages of the app"),
                down: settings.word("down", of: words, default: .nothing, "guarantee for messages of the server"),
                isOrdered: settings.flag(
                    "ordered", default: false, "messages arrive in the order in which they were sent"))
        }
    }
}
