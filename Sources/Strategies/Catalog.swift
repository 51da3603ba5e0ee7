public import DeadzoneClient

/// Every strategy that comes with Deadzone, by name. A new one is a line here.
public enum Catalog {
    public static let strategies: [StrategyKind] = [
        .of(Patient.self),
        .of(Composed.self),
        .of(StreamLoop.self),
        .of(IntervalSocket.self),
        .of(Eager.self),
        .of(Datagrams.self),
    ]

    public static func has(_ name: String) -> Bool { strategies.contains { $0.name == name } }
}
