import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneLive
import DeadzoneReports

extension PcapngFile {
    /// The packets of a run with the calls that its radios received. A replay of this file repeats the calls, so its
    /// radio behaves as in the run.
    init(_ outcome: LiveOutcome, about: String) {
        self.init(about: about)
        let room = InterfaceRemark.maximumBytes - InterfaceRemark.commentPrefix.utf8.count
        add(
            outcome.packets.map {
                RealPacket(
                    on: $0.interface, $0.direction, at: $0.at, length: $0.length, head: $0.head, level: $0.level,
                    cause: $0.cause, waited: $0.waited)
            },
            remarks: outcome.radioCalls.flatMap { interface, script in
                script.texts(ofBytes: room).map { (interface, InterfaceRemark.commentPrefix + $0) }
            })
    }
}
