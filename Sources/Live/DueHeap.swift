import DeadzoneBase

/// A priority queue ordered by time; elements with the same time leave in insertion order.
struct DueHeap<Element: Sendable>: Sendable {
    private struct TimedElement: Sendable {
        let at: Instant
        let number: UInt64
        let element: Element

        func isBefore(_ other: TimedElement) -> Bool { at == other.at ? number < other.number : at < other.at }
    }

    private var entries: [TimedElement] = []
    private var number: UInt64 = 0

    var next: Instant { entries.first?.at ?? .never }
    var count: Int { entries.count }

    mutating func insert(_ element: Element, at: Instant) {
        entries.append(TimedElement(at: at, number: number, element: element))
        number += 1
        var place = entries.count - 1
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() -> Element? {
        guard !entries.isEmpty else { return nil }
        entries.swapAt(0, entries.count - 1)
        let last = entries.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < entries.count && entries[child].isBefore(entries[least]) { least = child }
            if least == place { return last.element }
            entries.swapAt(place, least)
            place = least
        }
    }
}
