package enum Technology: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case lte, nrNSA, nrSA, umts, wifi

    /// The name of the technology in profile files.
    package var name: StaticString {
        switch self {
        case .lte: "lte"
        case .nrNSA: "nr-nsa"
        case .nrSA: "nr-sa"
        case .umts: "umts"
        case .wifi: "wifi"
        }
    }
}
