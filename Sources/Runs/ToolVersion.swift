/// The version of the tool, which every result holds.
public let toolVersion = "0.1.0"
