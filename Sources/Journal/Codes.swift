/// Why a connection that was open is so no longer: the tag of `closed`. Raw values are written to traces: append only.
public enum CloseCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case byClient = 0
    case pathLost, timedOut, reset
}

/// Why an attempt never opened: the tag of `failed`. Raw values are written to traces: append only.
public enum FailureCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case noPath = 1
    case timedOut, refused
}
