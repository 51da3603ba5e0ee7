// Public API for other packages. `import DeadzoneKit` is all that the author of a strategy needs, and no part of it
// needs a C library. `DeadzoneCommand` additionally runs the command with a strategy of one's own.

// Instants, spans, random numbers, and the reader of settings. Exported like the module below, so that one import is
// enough.
@_exported public import DeadzoneBase
// The API for strategies (events, actions, session, facets), and the strategies that ship with Deadzone.
@_exported public import DeadzoneClient
