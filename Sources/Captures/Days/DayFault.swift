/// An error that ends the reading of a battery history: its reason, and what to do.
package struct DayFault: Error, Equatable, Sendable {
    package let message: String
    package let help: [String]

    package init(_ message: String, help: [String] = []) {
        self.message = message
        self.help = help
    }

    static let noHistory = DayFault(
        "it contains no battery history",
        help: [
            "adb bugreport bugreport.zip", "adb shell dumpsys batterystats > day.txt",
            "adb shell dumpsys batterystats --checkin > day.txt",
            "iOS: the newest file powerlog_*.PLSQL of a sysdiagnose",
        ])
}

/// Fills the buffer with the next bytes of a file, at least one; returns 0 at the end.
package typealias DaySource = (UnsafeMutableRawBufferPointer) throws(DayFault) -> Int
