public import DeadzonePrimitives

/// When the messages of a stream come to one phone: by the stream and the phone's dice. Whoever keeps the stream lends it.
public struct Course: BitwiseCopyable {
    let stream: UnsafePointer<TrafficStream>
    let dice: Dice
    /// Which of the streams of its direction it is.
    var strand: UInt32 = 0

    public var size: Distribution { stream.pointee.size }
}
