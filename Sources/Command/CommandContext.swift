package import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

/// All external resources that the command accesses: outputs, input, environment variables, and interruption. Tests
/// pass their own.
package struct CommandContext: Sendable {
    package var environment: Environment
    package var output: Console
    package var errors: Console
    /// Capabilities of the two outputs.
    package var outputTerminal: Terminal
    package var errorTerminal: Terminal
    /// Reads standard input, up to the given number of bytes.
    package var input: @Sendable (Int) throws(SystemFault) -> [UInt8]
    /// Standard input as a stream. `nil` if only `input` is available.
    package var inputFile: ByteFile?
    package var isInterrupted: @Sendable () -> Bool
    /// Exit code after an interruption: 130 or 143.
    package var interruptionCode: @Sendable () -> Int32
    package var cores: Int
    /// Name of the program that the user typed: `deadzone`, or the program of a package with its own strategies.
    package var program = "deadzone"
    /// The names that scenarios and verbs may use.
    var vocabulary: Vocabulary {
        get { customVocabulary ?? .standard }
        set { customVocabulary = newValue }
    }
    private var customVocabulary: Vocabulary?

    /// The context of the process.
    package static func process() -> Self {
        let environment = Environment.process
        return Self(
            environment: environment, output: Console(.output), errors: Console(.errors),
            outputTerminal: .of(.output, environment), errorTerminal: .of(.errors, environment),
            input: { limit throws(SystemFault) in try Files.readStandardInput(limit: limit) },
            inputFile: .standardInput(), isInterrupted: { Interruption.requested },
            interruptionCode: { Interruption.exitCode },
            cores: HostMachine.cores,
            program: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "deadzone")
    }

    /// A context for tests: keeps the output in memory, reads the given text, and is never interrupted.
    package static func memory(input: String = "", environment: [String: String] = [:]) -> Self {
        let bytes = Array(input.utf8)
        return Self(
            environment: Environment(environment), output: Console(.memory), errors: Console(.memory),
            outputTerminal: .plain, errorTerminal: .plain,
            input: { limit throws(SystemFault) in
                guard bytes.count <= limit else {
                    throw SystemFault("cannot read", "standard input", because: "it is larger than \(limit) bytes")
                }
                return bytes
            },
            isInterrupted: { false }, interruptionCode: { ExitCode.interrupted.number }, cores: 1)
    }
}
