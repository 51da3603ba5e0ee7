import DeadzonePrimitives
import DeadzoneTransport

/// What the app's library remembers of the protocol that it speaks over a connection.
struct Talk: BitwiseCopyable, Sendable {
    /// What it has taken of the server's stream and not granted anew, of HTTP/2.
    var taken = WindowsTaken()
    /// What has come for an app that does not run, in bytes.
    var unreadBytes = (connection: UInt32.zero, stream: UInt32.zero)
    /// What it has yet to say, for want of a place.
    var owed = Owed()
    /// The server has said that it does not know who this is.
    var isDenied = false
    var moves = Moves()
    /// What the app has said of the server's messages.
    var receipts = Receipts()
    /// Pings of the server that wait for the app to run.
    var unread = Numbers()

    /// Numbers of pings.
    struct Numbers: BitwiseCopyable, Sendable {
        var first: UInt32 = 0
        var last: UInt32 = 0

        mutating func add(_ run: Run) {
            if first == last { first = run.first }
            last = run.last
        }
    }
}
