extension ArticleClaim {
    /// All claims, article by article, in the order of their numbers.
    package static let all: [ArticleClaim] =
        (workshopRadio + workshopApproaches + workshopChannel + workshopLoop + workshopEnds + workshopBuffer
        + webSocketHerd + webSocketSequences + webSocketMemory + webSocketNetwork + webSocketBackground
        + webSocketHeartbeat
        + transitions + flowControl).inOrder
}

extension [ArticleClaim] {
    /// Sorts by number. The source files are organised by subject instead.
    fileprivate var inOrder: Self {
        sorted { ($0.id.prefix(1), Int($0.id.dropFirst()) ?? 0) < ($1.id.prefix(1), Int($1.id.dropFirst()) ?? 0) }
    }
}
