// The face for other packages: `import DeadzoneKit` is all that the author of a strategy needs, and nothing of it needs a C
// library. What it takes to run the command with a strategy of one's own is `DeadzoneCommand`.

// What a strategy is written against: events, actions, session, facets; exported, so that one import is enough, like all below.
@_exported public import DeadzoneClient
// What runs it without a command: simulations.
@_exported public import DeadzoneEngine
// Instants, spans, dice.
@_exported public import DeadzonePrimitives
// How settings are read.
@_exported public import DeadzoneSettings
// The strategies that come with Deadzone, by name and to be built upon.
@_exported public import DeadzoneStrategies
// What they run in.
@_exported public import DeadzoneWorld
