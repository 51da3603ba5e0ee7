import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads what concerns other users: the presence that they see, and the peer of a call.
    mutating func readOtherUsers(_ server: inout ServerProfile) {
        server.presence = section("presence", "shows the phone's user to other users, as online or away") { settings in
            PresenceRules(
                grace: settings.span(
                    "grace", default: .zero, in: .zero ... .hours(24),
                    "time without a session after which the user is shown as away"))
        }
        server.peer = section("peer", "a peer that clients of strategy ice reach directly, and over this relay") {
            part in
            PeerRules(
                relayDelay: part.span(
                    "relay", default: .milliseconds(30), in: .zero ... .seconds(10),
                    "time that the way over the relay takes in addition, in each direction"))
        }
    }
}
