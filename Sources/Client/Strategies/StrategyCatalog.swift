/// All built-in strategies, by name. A new strategy needs one new line here.
package enum StrategyCatalog {
    package static let strategies: [StrategyKind] = [
        .of(Patient.self),
        .of(Composed.self),
        .of(StreamLoop.self),
        .of(IntervalSocket.self),
        .of(Eager.self),
        .of(Datagrams.self),
        .of(CoAP.self),
        .of(ICE.self),
    ]

    package static func has(_ name: String) -> Bool { strategies.contains { $0.name == name } }
}
