import DeadzoneHost
import DeadzoneReports

extension Style {
    /// Uses the terminal's width within readable limits, and the colour setting of the caller.
    init(_ invocation: Invocation, _ terminal: Terminal, columns: ClosedRange<Int> = 60...120) {
        self.init(
            hasColour: ANSIColor(invocation, terminal).isOn,
            width: min(max(terminal.width, columns.lowerBound), columns.upperBound),
            hasFixedWidth: terminal.hasFixedWidth)
    }
}
