import DeadzoneDocuments
import DeadzoneHost

extension Style {
    /// As wide as the terminal where that reads well, and coloured as the caller wishes.
    init(_ invocation: Invocation, _ terminal: Terminal, columns: ClosedRange<Int> = 60...120) {
        self.init(
            hasColour: Paint(invocation, terminal).isOn,
            width: min(max(terminal.width, columns.lowerBound), columns.upperBound), hasEdge: terminal.hasEdge)
    }
}
