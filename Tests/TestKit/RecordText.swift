package import DeadzoneBase
import DeadzoneSimulator
package import DeadzoneTransport

/// Journal entries and frames as short texts, for tests that compare the complete list of a component's requests.
extension JournalEntry {
    /// The kind, the name of the tag if it has one, and the value.
    package var text: String {
        if kind.isLoss, let loss = MessageLoss(tag: tag, value: value) {
            return "\(kind) \(loss.first)..<\(loss.first + loss.count): \(loss.cause.name) in \(loss.place.name)"
        }
        return "\(kind)" + (tagName.map { " \($0)" } ?? "") + " \(value)"
    }

    private var tagName: String? {
        switch kind {
        case .closed: CloseCode(bits: tag)?.name
        case .failed: FailureCode(bits: tag)?.name
        case .callFailed: CallCode(bits: tag)?.name
        case .goAway: GoAwayCode(bits: tag)?.name
        case .resolved: ResolutionCode(bits: tag)?.name
        case .windowShut, .flowStalled: Direction(bits: tag)?.name
        case .serverRejected: RejectionCode(bits: tag)?.name
        case .credentialsRefused: CredentialUse(bits: tag)?.name
        case .serverExpired: ExpiryCode(bits: tag)?.name
        case .callOutage: "\(tag)"
        default: nil
        }
    }
}

extension FrameRange {
    /// The kind and the items, with the name of a control frame or the reason of a refusal.
    package var text: String {
        switch kind {
        case .control: ControlFrame(item: first).map { "\($0)" } ?? "unknown control \(first)"
        case .refusal: "refusal \(RefusalCode.call(ofItem: first)) \(RefusalCode(item: first).map { "\($0)" } ?? "?")"
        case .finish: "finish"
        default: "\(kind) \(first)" + (count == 1 ? "" : "..<\(last)")
        }
    }
}
