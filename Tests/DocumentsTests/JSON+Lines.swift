@testable import DeadzoneReports

extension JSON {
    /// The document on a few lines: it breaks after each object and each list.
    var textInLines: String {
        text(.line).replacing("}, ", with: "},\n").replacing("], ", with: "],\n")
    }
}
