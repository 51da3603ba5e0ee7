import DeadzoneMetrics

/// The marker of a strategy in all charts of a run: a colour and a shape. The shape is recognisable without colour.
struct Marker {
    let index: Int

    private static let shapes = 6

    var colour: String { Palette.strategy(index) }

    /// A shape of about eight pixels around a point.
    func svg(_ x: Double, _ y: Double, isHollow: Bool = false, title: String = "") -> String {
        let (px, py) = (Markup.coordinate(x), Markup.coordinate(y))
        let kind = "class=\"dot \(colour)\(isHollow ? " hollow" : "")\""
        let inside = title.isEmpty ? "" : "<title>\(title)</title>"
        let d: String
        switch index % Self.shapes {
        case 0: return "<circle \(kind) cx=\"\(px)\" cy=\"\(py)\" r=\"4\">\(inside)</circle>"
        case 1: d = "M\(px) \(py)m-4 -4h8v8h-8z"
        case 2: d = "M\(px) \(py)m0 -5l5 5l-5 5l-5 -5z"
        case 3: d = "M\(px) \(py)m0 -5l4.8 8.5h-9.6z"
        case 4: d = "M\(px) \(py)m0 5l4.8 -8.5h-9.6z"
        default: d = "M\(px) \(py)m-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z"
        }
        return "<path \(kind) d=\"\(d)\">\(inside)</path>"
    }

    /// The mark as inline SVG for a line of text.
    var inline: String {
        "<svg class=\"key\" width=\"12\" height=\"12\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">\(svg(6, 6))</svg>"
    }
}

extension RunReport {
    /// The shape and the name of a strategy.
    func label(_ index: Int) -> String {
        "<b class=\"who\">" + Marker(index: index).inline + Markup.escaped(strategies[index].name, atMost: 60) + "</b>"
    }
}
