import CYAML

/// The version of libyaml that runs, such as 0.2.5.
public var yamlVersion: String { String(cString: yaml_get_version_string()) }
