/// Sizes in bytes of CoAP messages and of DTLS records and handshakes, computed from the fields that the RFCs define.
package enum DTLSWire {
    /// CoAP header 4, token 4, one path option 6, payload marker 1 (RFC 7252 §3). An acknowledgement without payload is
    /// its header and the token.
    package static let coap: UInt32 = 15
    package static let coapAck: UInt32 = 8
    /// DTLS 1.2: header 13, explicit nonce 8, tag 8 of AES-128-CCM-8 (RFC 6347 §4.1, RFC 6655). DTLS 1.3: header 5,
    /// content type 1, tag 8 (RFC 9147 §4).
    package static func record(isVersion13: Bool) -> UInt32 { isVersion13 ? 14 : 29 }
    /// A connection id of 6 bytes; DTLS 1.2 adds the inner content type (RFC 9146 §4).
    package static func connectionID(isVersion13: Bool) -> UInt32 { isVersion13 ? 6 : 7 }

    /// Bytes of a flight and of its answer, with a pre-shared key and an identity of 16 bytes. The client's last flight
    /// of a resumed handshake, and of DTLS 1.3, is counted with the flight before it.
    package static func flight(_ number: UInt8, isVersion13: Bool, isResumed: Bool) -> (up: UInt32, down: UInt32) {
        switch (isVersion13, isResumed, number) {
        // ClientHello with a session id and the final flight 67; ServerHello, ChangeCipherSpec, Finished.
        case (false, true, _): (179, 162)
        // ClientHello, HelloVerifyRequest with a cookie of 32 bytes.
        case (false, false, 0): (80, 60)
        // ClientHello with the cookie; ServerHello, ServerHelloDone.
        case (false, false, 1): (112, 120)
        // ClientKeyExchange, ChangeCipherSpec, Finished; ChangeCipherSpec, Finished.
        case (false, false, _): (110, 67)
        // ClientHello with a ticket and Finished 56; ServerHello to Finished.
        case (true, true, _): (192, 153)
        // ClientHello, HelloRetryRequest with a cookie.
        case (true, false, 0): (136, 92)
        // ClientHello with the cookie and Finished 56; ServerHello to Finished.
        case (true, false, _): (226, 153)
        }
    }
}
