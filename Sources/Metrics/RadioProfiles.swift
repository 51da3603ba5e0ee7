package import DeadzoneBase
package import DeadzoneDevice

/// The profiles of a phone's radios, or those of all phones of a population. A missing radio costs
/// nothing.
package struct RadioProfiles: Sendable {
    /// For each interface, the profile of the radio at the start, then those of its other technologies, numbered from
    /// 1.
    private let profiles: [[RadioProfile]]

    /// - Parameter profiles: The profiles of each interface, by its number.
    package init(_ profiles: [[RadioProfile]]) { self.profiles = profiles }

    package init(wifi: [RadioProfile], cellular: [RadioProfile]) { self.init([wifi, cellular]) }

    package init(wifi: RadioProfile?, cellular: RadioProfile?) {
        self.init(wifi: [wifi].compactMap(\.self), cellular: [cellular].compactMap(\.self))
    }

    /// All technologies of the interface's radio, in order. Empty if there is no radio.
    package func technologies(of interface: Interface) -> [RadioProfile] {
        interfaces.contains(interface) ? profiles[Int(interface.rawValue)] : []
    }

    /// The interfaces with radios that may use energy.
    package var interfaces: Interfaces { Interfaces(profiles.count) }

    var fitted: [Interface] { interfaces.filter { !technologies(of: $0).isEmpty } }
}

/// The models that compute the energy of radio time and bytes on a phone: radios, processor, battery.
package struct Prices: Sendable {
    package var radios: RadioProfiles
    /// `nil` if the scenario names no platform. Then no processor is modelled.
    package var processor: ProcessorPower?
    /// The phone's battery. `nil` if the scenario does not give it.
    package var battery: Battery?

    package init(radios: RadioProfiles, processor: ProcessorPower? = nil, battery: Battery? = nil) {
        self.radios = radios
        self.processor = processor
        self.battery = battery
    }
}
