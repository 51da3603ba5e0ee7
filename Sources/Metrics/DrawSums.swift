/// What the numbers of a column come to in each draw.
enum DrawSums {
    case alike(Int128)
    case words([Int64])
    case wide([Int128])

    subscript(draw: Int) -> Int128 {
        switch self {
        case .alike(let all): all
        case .words(let words): Int128(words[draw])
        case .wide(let wide): wide[draw]
        }
    }
}
