/// The version of the tool, which every result holds.
public let toolVersion = "0.2.0"

/// The day of this version, as its changelog has it.
public let toolDate = "2026-11-23"
