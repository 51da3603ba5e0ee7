import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import DeadzoneTransport

@testable import DeadzoneSimulator

/// One line for each request of the server, as tests compare them. Times are in milliseconds.
extension ServerEffect {
    func text(at now: Instant) -> String? {
        switch self {
        case .flushed, .subscriptionsChanged: nil
        case .note(let note): note.text
        case .transmit(let packet, let address, let slot, _, let sentAt):
            "send \(packet.content) \(slot)" + (sentAt == now ? "" : " at \(sentAt.text)")
                + (address == PhoneAddress(.wifi, addressNumber: 0)
                    ? "" : " to \(address.interface.name)/\(address.addressNumber)")
        case .transmitSystemPacket(let packet, let address):
            "send \(packet.content) \(packet.number)/\(packet.first) \(packet.bytes) B to "
                + "\(address.interface.name)/\(address.addressNumber)"
        case .captured(let slot): "captured \(slot)"
        case .schedule(let work, let at, let slot, _): "schedule \(work) \(slot) at \(at.text)"
        case .submit(let request):
            "submit \(request.kind.text) \(request.slot) #\(request.sequence) at \(request.at.text)"
                + (request.instance.map { " of \($0)" } ?? "")
        case .connectionReleased(let instance): "released \(instance)"
        case .read(let slot, let trigger): "read \(slot) \(trigger)"
        case .thaw(let slot): "thaw \(slot)"
        case .connectionChanged: "changed"
        case .attached: "attached"
        case .sessionResumed(let slot, let at, let gap): "resumed \(slot) at \(at)" + (gap == nil ? "" : " with a gap")
        case .sessionRestarted(let slot, let at, let isAsked):
            "restarted \(slot) at \(at)" + (isAsked ? " as asked" : "")
        case .messageWritten: "written"
        case .uplinkSkipped(let from, let end): "skipped \(from)..<\(end)"
        case .datagramsReceived(let before): "datagrams before \(before)"
        case .push(let isUrgent, let isForPending):
            "push" + (isUrgent ? " urgently" : "") + (isForPending ? " if pending" : "")
        case .announcePending: "announce"
        }
    }
}

extension ClusterRequest.RequestKind {
    fileprivate var text: String {
        switch self {
        case .session: "session"
        case .call(let call): "call \(call)"
        case .token(let number): "token \(number)"
        }
    }
}

extension Instant {
    var text: String {
        guard self != .never else { return "never" }
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(whole)" + (rest == 0 ? "" : "+\(rest) ns")
    }
}
