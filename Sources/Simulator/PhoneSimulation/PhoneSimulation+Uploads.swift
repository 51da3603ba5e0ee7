import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Messages of the app that the server's program refuses, and messages that break off with their connection.
extension PhoneSimulation {
    /// Notifies the strategy that the server has refused its next message. The refusal confirms all earlier ones.
    mutating func noteRefusal(_ refusal: MessageRefusal, _ slot: Int, _ context: inout WorkerContext) {
        let (message, name) = (min(server.arrived.index, session.produced.position), ConnectionSlot(UInt8(slot)))
        if session.acknowledged.position < message {
            callDelivery(&context) { $0.confirmUp(before: message, &$1, &$2) }
            notifyStrategy(.acknowledged(name, Cursor(message)), &context)
        }
        notifyStrategy(.messageRefused(name, Cursor(message), refusal), &context)
    }

    /// Gives up a refused message: it is lost, unless the server has taken it meanwhile.
    mutating func giveUp(_ cursor: Cursor, _ context: inout WorkerContext) {
        let message = cursor.position
        guard message < session.produced.position, server.passRefused(message, context.uploads) else { return }
        callDelivery(&context) { $0.loseRefused(message, &$1, &$2) }
    }

    /// Forgets what the server has of the message, because the client uploads it anew.
    mutating func abandonUpload(_ cursor: Cursor, _ context: inout WorkerContext) {
        guard let uploads = context.uploads else { return }
        callServer(&context) { $0.abandonUpload(of: cursor.position, uploads, &$2) }
    }

    /// Sends the rest of a message, as the first message of its connection.
    mutating func resumeMessage(_ slot: Int, _ cursor: Cursor, chunk: UInt32, _ context: inout WorkerContext) {
        guard let uploads = context.uploads, phoneEnd[slot].belief == .open, phoneEnd[slot].kernel.hasNoMessages else {
            return
        }
        var done: UInt32 = 0
        callServer(&context) { done = $0.resumeUpload(of: cursor.position, chunk: chunk, uploads, &$2) }
        guard done > 0 else { return }
        callDelivery(&context) { $0.skipUp(to: cursor.position, &$1, &$2) }
        let isSent = callPhoneEnd(&context) { $0.sendRest(of: cursor.position, without: done, slot, at: $1, &$2) }
        if !isSent { uploads.pointee.resumedFrom = 0 }
    }

    /// Records how much of the phone's next message the server's kernel has received.
    mutating func noteUploadProgress(_ slot: Int, _ uploads: UnsafeMutablePointer<UploadState>) {
        let expected = server.expected(slot)
        guard let (message, start) = phoneEnd[slot].kernel.unreadMessage, start < expected else { return }
        server.noteProgress(message, bytes: UInt32(clamping: expected - start), slot, uploads, at: now)
    }

    /// Records that a message breaks off, because the client opens another connection.
    mutating func breakOffUpload(_ uploads: UnsafeMutablePointer<UploadState>, _ context: inout WorkerContext) {
        let isKept = context.strategy.uploads?.resumesAtOffset ?? false
        callServer(&context) { $0.breakOff(uploads, isKept: isKept, &$2) }
    }
}
