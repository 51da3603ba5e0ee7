import DeadzoneBase
import DeadzoneClient

/// Words for reports of broken laws: times in seconds, and events without the names of the code.
extension TimeSpan {
    /// For example `600 s` or `0.1 s`.
    var secondsText: String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = String(String(rest + 1_000_000_000).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return (nanoseconds < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits) + " s"
    }
}

extension Instant {
    /// Time since the start of the run: `600 s`.
    var secondsText: String { (self - Instant.zero).secondsText }
}

extension Event {
    /// The event as the end of a sentence: "when timer 3 fired".
    var words: String {
        switch self {
        case .started: "when the app started"
        case .opened(let slot, _): "when connection \(slot.index) opened"
        case .serverResponded(let slot): "when the server answered the set-up of connection \(slot.index)"
        case .failed(let slot, let failure): "when the attempt on connection \(slot.index) failed: \(failure.words)"
        case .sessionRefused(let slot, _): "when the server refused the session on connection \(slot.index)"
        case .closed(let slot, let reason): "when connection \(slot.index) ended: \(reason.words)"
        case .codeStated(let slot, let code):
            "when the server stated code \(code) for the end of connection \(slot.index)"
        case .received(let slot, _, _): "when messages arrived on connection \(slot.index)"
        case .acknowledged(let slot, _): "when the server confirmed messages on connection \(slot.index)"
        case .messageRefused(_, let cursor, _): "when the server refused message \(cursor.position)"
        case .offsetStated(let slot): "when the server stated an offset on connection \(slot.index)"
        case .subscriptions(let slot, let change, _): "when streams of connection \(slot.index) were \(change)"
        case .answered(_, let call): "when call \(call) was answered"
        case .rejected(_, let call, _): "when call \(call) was rejected"
        case .pong(let slot, _): "when a pong arrived on connection \(slot.index)"
        case .heartbeat(let slot, _): "when a heartbeat of the server arrived on connection \(slot.index)"
        case .goingAway(let slot, _): "when the server announced the end of connection \(slot.index)"
        case .stalled(let slot): "when the socket of connection \(slot.index) was full"
        case .writable(let slot): "when the socket of connection \(slot.index) was writable"
        case .fired(let slot): "when timer \(slot.index) fired"
        case .network(let change): "when \(change.words)"
        case .credentials: "when the credentials changed"
        case .app(let change): "when \(change.words)"
        case .pushWoken: "when a push woke the app"
        case .pushesDiscarded: "when the push service had discarded pushes"
        case .pushTokenChanged: "when its push token changed"
        case .wantsToSend: "when the app had a message to send"
        case .wantsToCall: "when the app made a call"
        case .resumeResponse(let slot, _): "when the server answered the resume request on connection \(slot.index)"
        }
    }
}

extension ConnectFailure {
    var words: String {
        switch self {
        case .noPath: "no network"
        case .timedOut: "no answer"
        case .refused: "refused"
        case .unresolved: "the name was not resolved"
        case .untrusted: "another host answered"
        case .sessionRefused: "the session was refused"
        }
    }
}

extension CloseReason {
    var words: String {
        switch self {
        case .pathLost: "the network was removed"
        case .timedOut: "the transport gave up"
        case .reset: "reset"
        case .ended: "closed by the server"
        case .denied: "credentials not accepted"
        case .completed: "ended with success by the server"
        }
    }
}

extension NetworkChange {
    fileprivate var words: String {
        switch kind {
        case .available: "the \(network.title) network became the default"
        case .losing: "the \(network.title) network was about to be lost"
        case .lost: "the \(network.title) network was lost"
        case .validated: "the \(network.title) network reached the internet"
        case .unvalidated: "the \(network.title) network no longer reached the internet"
        case .blocked: "the app was barred from the network"
        case .unblocked: "the app was allowed to use the network again"
        case .capabilities: "a property of the \(network.title) network changed"
        }
    }
}

extension AppChange {
    fileprivate var words: String {
        switch self {
        case .foreground: "the app entered the foreground"
        case .background: "the app went to the background"
        case .expiring: "the app's time in the background was nearly over"
        case .refresh: "the system granted a background refresh"
        case .batterySaver: "battery saver was switched on or off"
        case .serviceEnded: "the system ended the app's foreground service"
        }
    }
}

extension TrialEvent {
    /// The event as a short sentence, for the history of a broken law.
    package var words: String {
        switch self {
        case .opens: "the connection opens"
        case .fails: "the attempt to connect fails"
        case .closes: "the server resets the connection"
        case .receives: "a message arrives"
        case .confirms: "the server confirms messages"
        case .answers: "the server answers a call"
        case .pongs: "a pong arrives"
        case .goesAway: "the server announces the end of the connection"
        case .stalls: "the socket is full"
        case .writes: "the socket is writable"
        case .silence: "the connection goes silent"
        case .serverRestarts: "the server restarts"
        case .sends: "the app sends a message"
        case .calls: "the app makes a call"
        case .toWifi: "the phone moves to Wi-Fi"
        case .toCellular: "the phone moves to cellular"
        case .toNone: "the phone loses its network"
        case .again: "the same network is reported again"
        case .losing: "the network is about to be lost"
        case .validated: "the network reaches the internet"
        case .unvalidated: "the network no longer reaches the internet"
        case .blocked: "the app is barred from the network"
        case .unblocked: "the app may use the network again"
        case .capabilities: "a property of the network changes"
        case .background: "the app goes to the background"
        case .foreground: "the app enters the foreground"
        case .expiring: "the time in the background is nearly over"
        case .refresh: "the system grants a background refresh"
        case .push: "a push wakes the app"
        case .clockSet: "the clock is set forward"
        case .kill: "the app is killed and starts again"
        case .sleep: "the processor sleeps for 10 minutes"
        case .moment: "0.1 s passes"
        case .second: "a second passes"
        case .minute: "a minute passes"
        case .hour: "an hour passes"
        }
    }
}
