import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneLive
import DeadzoneTraces

extension PacketFile {
    /// The packets of a run, and what its radios were told: the replay of such a file has the radio of the run.
    init(_ course: LiveCourse, about: String) {
        self.init(about: about)
        let room = InterfaceRemark.longest - InterfaceRemark.mark.utf8.count
        add(
            course.packets.map {
                Captured(
                    on: $0.interface, $0.direction, at: $0.at, length: $0.length, head: $0.head, level: $0.level,
                    cause: $0.cause, waited: $0.waited)
            },
            remarks: course.scripts.flatMap { interface, script in
                script.texts(ofBytes: room).map { (interface, InterfaceRemark.mark + $0) }
            })
    }
}
