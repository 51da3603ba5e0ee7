import DeadzoneHost

private let output = Console(.output)
private let code = run(Array(CommandLine.arguments.dropFirst()), output, Console(.errors))
output.flush()
endProcess(code)
