package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The phone's side of one connection: its kernel, its protocol state, and the client's view of it.
package struct ClientConnection: ~Copyable {
    /// The state of a connection as the client sees it, which can differ from its true state.
    package enum ConnectionBelief: UInt8, BitwiseCopyable, Sendable {
        case closed, opening, open
    }

    package internal(set) var belief = ConnectionBelief.closed
    /// Number of the server's address to which the connection is.
    package internal(set) var address: UInt16 = 0
    /// Number of the address of the slot's previous connection.
    var previousAddress: UInt16 = 0
    /// Number plus 1 of the address to use if the name is not resolved; 0 for none.
    var staleAddressNumber: UInt16 = 0
    let config: UnsafePointer<ConnectionConfig>
    /// `true` if the phone has received the server's response to the session request. Datagrams make no request.
    var isAnswered = false
    /// The flight of a DTLS handshake that waits for its answer; `.max` if none does.
    var awaitedFlight = UInt8.max
    /// `true` if the server has sent GOAWAY (HTTP/2): the library then opens no new stream on this connection.
    package internal(set) var hasReceivedGoAway = false
    package internal(set) var interface = Interface.wifi
    /// Number of the interface's address over which the connection runs. Each new address has another number.
    package internal(set) var addressNumber: UInt16 = 0
    package let generation: UInt16
    /// Calls that wait in the client's library for buffer space. Bit n stands for a call with index n modulo 64.
    var waitingCalls: UInt64 = 0
    /// Calls that were sent over this connection and not answered. Bit n stands for a call with index n modulo 64.
    var sentCalls: UInt64 = 0
    /// Time at which the server's flow-control window began to block data of the app; `.never` if it does not.
    var windowClosedSince = Instant.never
    /// Time at which the kernel's full send buffer began to block data of the app; `.never` if it does not.
    var bufferFullSince = Instant.never
    package internal(set) var resuming = ResumeRequest.fresh
    /// Reason for the loss of the connection, if the app is suspended and must still be notified; otherwise `nil`.
    package internal(set) var unreportedLoss: CloseReason?
    var pingTracker = PingTracker()
    var protocolState = ProtocolState()
    package internal(set) var tcp = TCPEnd()

    /// State of the resolution of the server's name to an address; `nil` if it is not in progress.
    var resolution: AddressResolution?
    /// Time at which the next action of the name resolution is due, or the set-up after it has used up its time limit;
    /// `.never` if there is neither.
    var resolutionDeadline = Instant.never
    private let addressStable = AddressStable()

    init(_ terms: UnsafePointer<ConnectionConfig>, generation: UInt16 = 0) {
        self.config = terms
        self.generation = generation
    }

    package var transport: Transport { config.pointee.transport }
    /// Maximum time of an attempt to one address, if the app has set one; `nil` if the kernel's default applies.
    var addressLimit: TimeSpan? {
        guard transport.synRetries != nil else { return transport.addressTimeout }
        return min(transport.addressTimeout ?? .longest, upward.pointee.kernel.connectTimeout)
    }
    /// `true` if the connection is in its initial state.
    var isUntouched: Bool {
        belief == .closed && generation == 0 && waitingCalls == 0 && resolutionDeadline == .never
            && tcp.phase == .closed
    }
    package var isDatagram: Bool { config.pointee.isDatagram }
    var isHTTP2: Bool { config.pointee.isHTTP2 }
    package var isQUIC: Bool { config.pointee.isQUIC }
    package var isUDP: Bool { config.pointee.isUDP }
    package var isEarly: Bool { config.pointee.sendsEarlyData }
    /// `true` if the app sends early data (0-RTT) on the connection, and the server has not answered yet. Such a
    /// connection is an attempt: QUIC has it open only after the handshake (RFC 9001 §4.1.1).
    var isUnconfirmed: Bool { isEarly && belief == .open && !isAnswered }
    /// `true` if the connection survives a change of address and can wait for another path.
    package var canMigrate: Bool { belief == .open && protocolState.pathMigration.isAllowed }
    var isResuming: Bool { resuming != .fresh }
    /// TCP settings for the direction from phone to server, fixed for the life of the connection.
    package var upward: UnsafePointer<TCPRules> { config.upward }
    /// TCP settings for the direction from server to phone, fixed for the life of the connection.
    var downward: UnsafePointer<TCPRules> { config.downward }
    var goodbyeBytes: UInt32 { config.pointee.resetBytes }
    var setup: ConnectionSetup { config.setup(isResuming: isResuming) }

    /// `true` if the app has data that cannot be sent yet, for lack of window credit or buffer space.
    @inline(__always)
    var isWaiting: Bool { belief == .open && (tcp.hasWaitingMessages || waitingCalls != 0) }
    /// `true` if the app had data that could not be sent when this was last checked.
    var wasWaiting: Bool { windowClosedSince != .never || bufferFullSince != .never }
}

/// Tracks the pings of an app on one connection: how many were answered, and when they were sent.
///
/// Pongs (responses to pings) arrive in order.
struct PingTracker: BitwiseCopyable, Sendable {
    private(set) var written: UInt32 = 0
    private var answered: UInt32 = 0
    /// Time at which the oldest unanswered ping was written.
    private var oldestAt = Instant.never
    /// Time at which the latest ping was written.
    private var latestAt = Instant.never

    mutating func sent(at now: Instant) {
        if answered == written { oldestAt = now }
        latestAt = now
        written += 1
    }

    /// Records that the pongs (responses) of all pings below `end` have arrived. Returns the round-trip time of the
    /// oldest of these pings.
    mutating func receivedPongs(upTo end: UInt32, at now: Instant) -> TimeSpan {
        let span = now - oldestAt
        answered = end
        // If more than two pings are unanswered, the time of the latest stands for those in between.
        oldestAt = latestAt
        return span
    }
}
