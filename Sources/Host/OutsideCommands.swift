#if os(Linux)
    import CTun
    import Glibc
#endif

/// Runs commands of the user outside the namespaces of a sandbox, and collects their exit codes. A command is killed
/// with all its processes when this process ends.
package final class OutsideCommands {
    /// The exit of one command.
    package struct CommandExit: Hashable, Sendable {
        /// The number that the caller gave to the command.
        package let number: Int
        /// Exit code as a shell counts it: 128 plus the number for a signal.
        package let code: Int32
    }

    #if os(Linux)
        /// Both ends are -1 if the system has no pipe left. Then no exit is known.
        private var near: Int32 = -1
        private var far: Int32 = -1

        package init() {
            guard deadzone_pipe(&near, &far) == 0 else { return }
            // A supervisor of a command must never wait for the reader.
            _ = fcntl(far, F_SETFL, O_NONBLOCK)
        }

        deinit { for end in [near, far] where end >= 0 { close(end) } }

        /// Starts a command with `/bin/sh`, and does not wait for it.
        package func run(_ command: String, number: Int) { _ = deadzone_run_outside(command, Int32(number), far) }

        /// Returns the commands that have ended since the last call.
        package func exits() -> [CommandExit] {
            var all: [CommandExit] = []
            var end = deadzone_command_end()
            while near >= 0, deadzone_next_command_end(near, &end) == 1 {
                let signal = end.status & 0x7f
                all.append(
                    CommandExit(
                        number: Int(end.number), code: signal == 0 ? end.status >> 8 & 0xff : 128 + signal))
            }
            return all
        }
    #else
        package init() {}
        package func run(_ command: String, number: Int) {}
        package func exits() -> [CommandExit] { [] }
    #endif
}
