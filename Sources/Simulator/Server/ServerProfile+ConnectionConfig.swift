import DeadzoneBase

extension ServerProfile {
    /// The server's settings that are part of the configuration of every connection.
    package var connectionConfig: ServerConnectionSettings {
        ServerConnectionSettings(
            quicIdle: quicIdle, sendBuffer: sendBuffer, authenticates: authentication != nil,
            allowsMigration: allowsMigration, sendsReceipts: receipts != nil)
    }
}
