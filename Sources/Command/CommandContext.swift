import DeadzoneRuns
public import DeadzoneHost
import DeadzoneScenarios

/// All external resources that the command accesses: outputs, input, environment variables, and interruption. Tests
/// pass their own.
public struct CommandContext: Sendable {
    public var environment: Environment
    public var output: Console
    public var errors: Console
    /// Capabilities of the two outputs.
    public var outputTerminal: Terminal
    public var errorTerminal: Terminal
    /// Reads standard input, up to the given number of bytes.
    public var input: @Sendable (Int) throws(SystemFault) -> [UInt8]
    /// Standard input as a stream. `nil` if only `input` is available.
    public var inputFile: ByteFile?
    public var isInterrupted: @Sendable () -> Bool
    /// Exit code after an interruption: 130 or 143.
    public var interruptionCode: @Sendable () -> Int32
    public var cores: Int
    /// Name of the program that the user typed: `deadzone`, or the program of a package with its own strategies.
    public var program = "deadzone"
    /// The names that scenarios and verbs may use.
    var vocabulary: Vocabulary {
        get { customVocabulary ?? .standard }
        set { customVocabulary = newValue }
    }
    private var customVocabulary: Vocabulary?

    /// The context of the process.
    public static func process() -> Self {
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
    public static func memory(input: String = "", environment: [String: String] = [:]) -> Self {
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
