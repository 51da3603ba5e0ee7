package import Testing

/// Compares a text with the expected one, scalar by scalar. Styles are written as `«b:bold»`, with `d` for dim, `r` for
/// red and `g` for green; a carriage return is written as `␍`.
package func expectText(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let shown = withVisibleMarks(text)
    if shown.unicodeScalars.elementsEqual(expected.unicodeScalars) { return }
    let now = shown.split(separator: "\n", omittingEmptySubsequences: false)
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(now, old).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(now.count, old.count)
    Issue.record(
        """
        line \(line + 1) of \(now.count) differs, \(old.count) are expected
          expected: \(line < old.count ? old[line] : "(end)")
          now:      \(line < now.count ? now[line] : "(end)")
        the whole text now:
        \(now.map { "|\($0)|" }.joined(separator: "\n"))
        """, sourceLocation: sourceLocation)
}

private func withVisibleMarks(_ text: String) -> String {
    var text = text
    for (code, mark) in [("1", "«b:"), ("2", "«d:"), ("31", "«r:"), ("32", "«g:"), ("0", "»")] {
        text = text.replacing("\u{1B}[\(code)m", with: mark)
    }
    // By scalars, because Swift takes a carriage return with a line feed for one character.
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\r" ? "␍" : $0 }))
}
