import DeadzoneDevice
import DeadzoneNetwork
import DeadzonePrimitives

/// An interface of the phone: its radio, and the links that its packets ride.
struct Port: ~Copyable {
    var radio: Radio?
    /// When the radio changes by itself; kept here because every event asks for it.
    var radioAt: Instant
    var up: Link
    var down: Link
    /// Packets that wait for the radio.
    var held: UInt32 = 0
    /// Which of the world's profiles of the interface the radio is.
    var technology: UInt8
    /// Which of the world's link conditions hold: 0 are the usual ones.
    var condition: UInt8 = 0
}
