import DeadzoneBase
import DeadzoneDevice
import DeadzoneTransport

/// One access interface of a phone (Wi-Fi or cellular): its radio and its links in both directions.
struct AccessInterface: ~Copyable {
    var radio: Radio?
    /// Next instant at which the radio changes its state without a packet; `.never` if there is none. Cached here
    /// because every event reads it.
    var radioAt: Instant
    var up: Link
    var down: Link
    /// Number of packets in either direction that wait until the radio is ready.
    var held: UInt32 = 0
    /// Index of the radio's current profile (such as LTE or NR) in `World.profiles(of:)`.
    var technology: UInt8
    /// Index of the current link condition in `World.conditions(of:)`; 0 is the usual one.
    var condition: UInt8 = 0
}
