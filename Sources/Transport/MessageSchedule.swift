package import DeadzoneBase

/// Determines when the messages of one traffic stream occur on one phone, from the phone's random numbers. The stream
/// is passed by address and must outlive this value.
package struct MessageSchedule: BitwiseCopyable {
    let stream: UnsafePointer<TrafficStream>
    let dice: Dice
    /// Index of this stream among the parallel streams of its direction; 0 if it is the only one.
    var streamIndex: UInt32 = 0

    package var size: Distribution { stream.pointee.size }
}
