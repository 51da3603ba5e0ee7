package import Testing

/// Like `#expect`, which can neither stand inside another one nor call a method of a value that cannot be copied.
package func check(
    _ isTrue: Bool, _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    if !isTrue { Issue.record("expected to be true \(comment())", sourceLocation: sourceLocation) }
}
