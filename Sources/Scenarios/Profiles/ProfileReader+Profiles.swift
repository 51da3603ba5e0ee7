import DeadzoneBase
package import DeadzoneDevice

extension ProfileReader {
    /// Reads profiles that are known to be valid, in order. Traps if one of them is not.
    package static func profiles(on texts: [ProfileText]) -> [RadioProfile] {
        let reader = ProfileReader(inheritingFrom: texts)
        return texts.map { text in
            guard let node = compose(Array(text.text.utf8)).node else {
                preconditionFailure("\(text.name) is not YAML")
            }
            var settings = SettingsReader(node, of: text.name)
            guard let reading = reader.read(&settings) else {
                preconditionFailure("\(text.name): \(settings.faults)")
            }
            return reading.profile
        }
    }
}
