import CYAML

/// The version of the linked libyaml, such as 0.2.5.
package var yamlVersion: String { String(cString: yaml_get_version_string()) }
