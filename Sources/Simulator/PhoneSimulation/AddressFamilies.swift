import DeadzoneDevice
import DeadzoneTransport

extension Resolver.Translation {
    /// The translation of an operating system; `nil` is a system that has none, such as Linux without clatd.
    init(_ family: Platform.OSFamily?) {
        switch family {
        case .android: self = .packets
        // Later releases translate packets too, in conditions that Apple does not document for apps.
        case .ios: self = .literals
        case nil: self = .none
        }
    }
}
