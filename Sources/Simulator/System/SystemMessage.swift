package import DeadzoneBase

/// A packet outside the app's connections, which the simulation sends: a push, a push token, or one of another app.
package struct SystemMessage: BitwiseCopyable, Sendable {
    package let cause: Cause
    package let bytes: UInt32
    /// Identifies the push or the other app; 0 if there is one of its kind only.
    package var number: UInt16 = 0
}
