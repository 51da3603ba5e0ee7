/// One HTTP/1.1 request, as `HTTPRequestParser` accepts it: a small part of what RFC 9112 allows.
package struct HTTPRequest: Hashable, Sendable {
    package enum Method: String, Sendable { case get = "GET", post = "POST" }

    package let method: Method
    /// Segments of letters, digits, `.`, `_` and `-`, each after a slash. No segment begins with a dot, and there is no
    /// query, so a path can never lead out of a folder.
    package let path: String
    /// Values by name in lower case. A name occurs once.
    package let fields: [String: String]
    package internal(set) var body: [UInt8] = []
}

/// Status codes of HTTP responses.
package enum HTTPStatus: Int, Sendable {
    case ok = 200
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case timeout = 408
    case conflict = 409
    case lengthRequired = 411
    case contentTooLarge = 413
    case unsupportedType = 415
    case headTooLarge = 431
    case unavailable = 503

    var reason: String {
        switch self {
        case .ok: "OK"
        case .badRequest: "Bad Request"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .timeout: "Request Timeout"
        case .conflict: "Conflict"
        case .lengthRequired: "Length Required"
        case .contentTooLarge: "Content Too Large"
        case .unsupportedType: "Unsupported Media Type"
        case .headTooLarge: "Request Header Fields Too Large"
        case .unavailable: "Service Unavailable"
        }
    }
}
