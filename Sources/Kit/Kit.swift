// Public API for other packages. `import DeadzoneKit` is all that the author of a strategy needs, and no part of it
// needs a C library. `DeadzoneCommand` additionally runs the command with a strategy of one's own.

// The API for strategies: events, actions, session, facets. Exported like all modules below, so that one import is
// enough.
@_exported public import DeadzoneClient
// Simulations, to run a strategy without the command.
@_exported public import DeadzoneEngine
// Instants, spans, dice.
@_exported public import DeadzonePrimitives
// Reading of settings.
@_exported public import DeadzoneSettings
// The strategies that ship with Deadzone, by name, to use or extend.
@_exported public import DeadzoneStrategies
// The worlds in which strategies run.
@_exported public import DeadzoneWorld
