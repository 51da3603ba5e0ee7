import DeadzoneHost

endProcess(LawsMain.run(Array(CommandLine.arguments.dropFirst()), Console(.output), Console(.errors)))
