public import DeadzoneDevice
public import DeadzonePrimitives

/// The radios of a phone. One that is not there costs nothing.
public struct Radios: Sendable {
    public var wifi: RadioProfile?
    public var cellular: RadioProfile?

    public init(wifi: RadioProfile?, cellular: RadioProfile?) {
        self.wifi = wifi
        self.cellular = cellular
    }

    public subscript(interface: Interface) -> RadioProfile? { interface == .wifi ? wifi : cellular }

    var present: [Interface] { Interface.allCases.filter { self[$0] != nil } }
}
