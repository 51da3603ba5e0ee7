/// Sizes in bytes of STUN and TURN messages, computed from the fields that the RFCs define.
package enum STUNWire {
    /// A Binding request of a connectivity check: header 20, USERNAME 16 (two fragments of four letters), PRIORITY 8,
    /// ICE-CONTROLLING 12, MESSAGE-INTEGRITY 24, FINGERPRINT 8 (RFC 8489 §5 and §14, RFC 8445 §7.1).
    package static let check: UInt32 = 88
    /// Its answer: header 20, XOR-MAPPED-ADDRESS 12 (IPv4), MESSAGE-INTEGRITY 24, FINGERPRINT 8.
    package static let answer: UInt32 = 64
    /// Header of a packet that a TURN server passes on over a channel (RFC 8656 §12.4).
    package static let channelData: UInt32 = 4
}
