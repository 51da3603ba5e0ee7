/// The known word that is nearest to a misspelt one, for "did you mean"; `nil` if none is near. Near means at most two
/// edits (a swap of neighbours is one), or a known word that begins with the typed text.
package func suggestion(for word: String, among known: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars)
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    // Two edits turn any two-letter word into any other, so short words may have fewer edits.
    let allowed = min(2, (typed.count + 1) / 2)
    let ranked = known.enumerated().map { (editDistance(typed, Array($1.lowercased().unicodeScalars)), $0, $1) }
    if let other = synonyms[word.lowercased()], known.contains(other) { return other }
    if let best = ranked.filter({ $0.0 <= allowed }).min(by: { ($0.0, $0.1) < ($1.0, $1.1) }) { return best.2 }
    return known.first { $0.lowercased().hasPrefix(word.lowercased()) }
}

/// Words that users know from elsewhere, with this language's word for the same thing.
private let synonyms = [
    "http3": "quic", "h3": "quic", "ws": "websocket", "wss": "websocket", "udp": "datagram", "energy": "battery.joules",
    "wlan": "wifi", "mobile": "cellular",
]

/// Edit distance by optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if abs(a.count - b.count) > 2 { return abs(a.count - b.count) }
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var cost = min(above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
            row.append(cost)
        }
        (before, above) = (above, row)
    }
    return above[b.count]
}
