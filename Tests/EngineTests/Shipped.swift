import DeadzoneDevice
import DeadzoneProfiles
import DeadzoneScenarios
import DeadzoneSettings

/// The radios that come with Deadzone.
enum Shipped {
    static let cellular = profiles.filter { $0.technology != .wifi }
    static let wifi = profiles.filter { $0.technology == .wifi }

    private static let profiles: [RadioProfile] = {
        let texts = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }
        return texts.map { profile in
            guard let node = compose(Array(profile.text.utf8)).node else {
                preconditionFailure("\(profile.name) is not YAML")
            }
            var settings = SettingsReader(node, of: profile.name)
            guard let reading = ProfileReader(inheritingFrom: texts).read(&settings) else {
                preconditionFailure("\(profile.name): \(settings.faults)")
            }
            return reading.profile
        }
    }()
}
