/// The names and versions of all JSON documents that a command writes: the value of `schema` in the document. A number is
/// increased if programs that read the document would fail on the new one.
package enum DocumentSchema: String, CaseIterable, Sendable {
    // Results.
    case run = "deadzone/run/1"
    /// Several scenarios, or the cells of a matrix.
    case runs = "deadzone/runs/1"
    case compare = "deadzone/compare/1"
    case baseline = "deadzone/baseline/2"
    /// Older baselines. They are read, but no longer written.
    case firstBaseline = "deadzone/baseline/1"
    case tune = "deadzone/tune/1"
    case hunt = "deadzone/hunt/1"
    case corpus = "deadzone/corpus/1"
    case boundary = "deadzone/boundary/1"
    case claims = "deadzone/claims/1"
    case live = "deadzone/live/1"
    case fit = "deadzone/fit/1"
    case radioFit = "deadzone/fit-radio/1"
    case replay = "deadzone/replay/1"
    case day = "deadzone/day/1"
    case schedule = "deadzone/schedule/1"
    // Facts about the program and its vocabulary.
    case list = "deadzone/list/1"
    case explain = "deadzone/explain/1"
    case cache = "deadzone/cache/1"
    case doctor = "deadzone/doctor/1"
    case bench = "deadzone/bench/1"
    /// The output of `--json` if there is no result.
    case errors = "deadzone/errors/1"

    package var json: JSON { .string(rawValue) }
}
