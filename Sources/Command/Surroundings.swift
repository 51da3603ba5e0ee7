import DeadzoneRuns
public import DeadzoneHost
import DeadzoneScenarios

/// What a command touches of the world around it: its outputs and its input, the environment, the wish to stop. A test
/// hands in its own.
public struct Surroundings: Sendable {
    public var environment: Environment
    public var output: Console
    public var errors: Console
    /// What the two outputs can show.
    public var outputTerminal: Terminal
    public var errorTerminal: Terminal
    /// Bytes of standard input, at most so many.
    public var input: @Sendable (Int) throws(SystemFault) -> [UInt8]
    /// Standard input itself, to be read as it comes; nil where there are only the bytes above.
    public var inputFile: ByteFile?
    public var isInterrupted: @Sendable () -> Bool
    /// What the process ends with once it was interrupted: 130 or 143.
    public var interruptionCode: @Sendable () -> Int32
    public var cores: Int
    /// The names that scenarios and verbs may use.
    var vocabulary: Vocabulary {
        get { ownVocabulary ?? .standard }
        set { ownVocabulary = newValue }
    }
    private var ownVocabulary: Vocabulary?

    /// The process's own.
    public static func process() -> Self {
        let environment = Environment.process
        return Self(
            environment: environment, output: Console(.output), errors: Console(.errors),
            outputTerminal: .of(.output, environment), errorTerminal: .of(.errors, environment),
            input: { limit throws(SystemFault) in try Files.readStandardInput(limit: limit) },
            inputFile: .standardInput(), isInterrupted: { Interruption.requested },
            interruptionCode: { Interruption.exitCode },
            cores: Machine.cores)
    }

    /// Keeps what is written; reads the given text; nothing interrupts it.
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
