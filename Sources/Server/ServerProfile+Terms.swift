public import DeadzoneProtocols
import DeadzonePrimitives

extension ServerProfile {
    /// What of it stands in the terms of every connection.
    public var terms: ServerTerms {
        ServerTerms(
            quicIdle: quicIdle, sendBuffer: sendBuffer, authenticates: authentication != nil,
            allowsMigration: allowsMigration, saysReceipts: receipts != nil)
    }
}
