package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server program's refusals of single messages, and what it keeps of a message that broke off.
extension Server {
    /// Receives messages that the program may refuse. Behind a refused message it ignores everything until the client
    /// sends that message again.
    mutating func judgeMessages(
        _ messages: Range<UInt32>, _ slot: Int, _ upload: UnsafeMutablePointer<UploadState>,
        _ introduction: Introduction, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        var wasted: Int64 = 0
        for index in messages {
            if ends[slot].ignoresMessages {
                wasted += Int64(traffic.pointee.up.bytes(of: index))
                continue
            }
            skipMessages(before: index, &out)
            let isNext = index == arrived.index
            if isNext, upload.pointee.refusals > 0 { out.note(.messageRetried, value: Int64(index)) }
            if isNext, let refusal = refusal(of: index, upload.pointee, at: now) {
                wasted += Int64(traffic.pointee.up.bytes(of: index))
                ends[slot].ignoresMessages = true
                refuse(index, refusal, slot, upload, &out)
            } else {
                if isNext { upload.pointee.finish() }
                takeMessages(index..<index + 1, introduction, at: now, &out)
            }
        }
        if wasted > 0 { out.note(.uploadWasted, value: wasted) }
    }

    private func refusal(of message: UInt32, _ upload: UploadState, at now: Instant) -> MessageRefusal? {
        profile.pointee.faults.messages?.refusal(of: message, upload, traffic.pointee.dice(.serverErrors), at: now)
    }

    private mutating func refuse(
        _ message: UInt32, _ refusal: MessageRefusal, _ slot: Int, _ upload: UnsafeMutablePointer<UploadState>,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        out.note(.messageRefused, MessageRefusalCode(refusal), value: Int64(message))
        upload.pointee.refusals += upload.pointee.refusals < .max ? 1 : 0
        switch refusal {
        case .transient: ends[slot].send(.messageRefused)
        case .permanent: ends[slot].send(.messageRefusedPermanently)
        case .locked: ends[slot].send(.messageLocked)
        }
    }

    /// Answers how much of the next message the server has. While an upload that broke off holds it, the answer is a
    /// refusal.
    mutating func answerOffset(
        _ slot: Int, _ upload: UnsafeMutablePointer<UploadState>, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard upload.pointee.isLocked(arrived.index, at: now), profile.pointee.faults.messages != nil else {
            return ends[slot].send(.offset)
        }
        refuse(arrived.index, .locked, slot, upload, &out)
    }

    /// Passes a message that the client has given up: it never arrives. Returns `false` if the server has it already.
    package mutating func passRefused(_ message: UInt32, _ upload: UnsafeMutablePointer<UploadState>?) -> Bool {
        guard arrived.index == message, let schedule = traffic.pointee.upSchedule else { return false }
        upload?.pointee.finish()
        arrived.advance(schedule)
        return true
    }

    // MARK: A message that breaks off

    /// Records how much of the next message has arrived.
    /// - Parameter start: Stream offset of the message's first byte.
    package func noteProgress(
        _ message: UInt32, from start: UInt64, _ slot: Int, _ upload: UnsafeMutablePointer<UploadState>, at now: Instant
    ) {
        guard message == arrived.index, start < expected(slot) else { return }
        upload.pointee.message = message
        upload.pointee.arrived = UInt32(clamping: expected(slot) - start)
        upload.pointee.slot = UInt8(slot)
        upload.pointee.arrivedAt = now
    }

    /// Records that the connection has ended that carried a part of the next message, because the client opens another
    /// one.
    /// - Parameter isKept: `true` if the client will ask for the offset.
    package mutating func breakOff(
        _ upload: UnsafeMutablePointer<UploadState>, isKept: Bool, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard upload.pointee.arrived > 0, upload.pointee.message == arrived.index else { return }
        if let lock = profile.pointee.faults.messages?.lock, isHeld(Int(upload.pointee.slot)) {
            upload.pointee.lockedUntil = upload.pointee.arrivedAt + lock
        }
        if isKept {
            upload.pointee.kept = upload.pointee.resumedFrom + upload.pointee.arrived
        } else {
            out.note(.uploadWasted, value: Int64(upload.pointee.arrived))
        }
        upload.pointee.resumedFrom = 0
        upload.pointee.arrived = 0
    }

    /// Forgets what an upload that broke off has left, because the client uploads the message anew under another name.
    package func abandonUpload(
        of message: UInt32, _ upload: UnsafeMutablePointer<UploadState>, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard upload.pointee.message == message, arrived.index == message else { return }
        if upload.pointee.kept > 0 { out.note(.uploadWasted, value: Int64(upload.pointee.kept)) }
        upload.pointee.kept = 0
        upload.pointee.lockedUntil = .zero
    }

    /// Returns how many bytes of the next message the server has kept, which is a multiple of `chunk`. The client
    /// skips these bytes. The bytes that arrived beyond them are recorded as wasted.
    package func resumeUpload(
        of message: UInt32, chunk: UInt32, _ upload: UnsafeMutablePointer<UploadState>,
        _ out: inout EffectQueue<ServerEffect>
    ) -> UInt32 {
        guard upload.pointee.message == message, arrived.index == message, upload.pointee.kept > 0 else { return 0 }
        let whole = upload.pointee.kept / chunk * chunk
        let rest = upload.pointee.kept - whole
        upload.pointee.kept = 0
        upload.pointee.resumedFrom = whole
        if rest > 0 { out.note(.uploadWasted, value: Int64(rest)) }
        if whole > 0 { out.note(.uploadResumed, value: Int64(whole)) }
        return whole
    }
}
