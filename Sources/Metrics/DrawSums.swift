/// For each bootstrap resample, the sum of one number over its replicas.
enum DrawSums {
    case constant(Int128)
    case words([Int64])
    case wide([Int128])

    subscript(draw: Int) -> Int128 {
        switch self {
        case .constant(let all): all
        case .words(let words): Int128(words[draw])
        case .wide(let wide): wide[draw]
        }
    }
}
