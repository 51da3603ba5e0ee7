/// Describes how one kind of setting value is written in a file, and reads and writes it. It consists of expected text,
/// shape, parser and canonical output. If `read` fails, it notes a fault and returns `nil`.
public struct ValueFormat<Value: Sendable>: Sendable {
    private let describe: @Sendable () -> String
    public var shape: @Sendable () -> Shape
    public var read: @Sendable (Node, inout Faults) -> Value?
    public var write: @Sendable (Value) -> Node

    public init(
        _ expected: @escaping @autoclosure @Sendable () -> String, shape: @escaping @Sendable () -> Shape,
        read: @escaping @Sendable (Node, inout Faults) -> Value?, write: @escaping @Sendable (Value) -> Node
    ) {
        describe = expected
        self.shape = shape
        self.read = read
        self.write = write
    }

    /// Expected text for a fault's message: "a duration such as 45s". Built only when a fault is reported.
    public var expected: String { describe() }

    /// The same text format, converted to another Swift type.
    public func map<Other: Sendable>(
        _ to: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> ValueFormat<Other> {
        ValueFormat<Other>(
            expected, shape: shape, read: { node, faults in read(node, &faults).map(to) }, write: { write(back($0)) })
    }
}

extension Node {
    /// The text of a plain value. If it is missing, or is a list or map, notes a fault and returns `nil`.
    public func scalar(
        _ expected: @autoclosure () -> String, _ faults: inout Faults
    ) -> (text: String, quoted: Bool)? {
        guard !isEmpty else {
            faults.note(
                Fault(
                    .noValue, at: mark, width: width, "a value is missing", label: "expected \(expected())",
                    help: "remove the key to have the default"))
            return nil
        }
        guard case .scalar(let text, let quoted) = content else {
            faults.note(wrongType(expected()))
            return nil
        }
        return (text, quoted)
    }

    public func wrongType(_ expected: String) -> Fault {
        Fault(
            .wrongType, at: mark, width: width, "\(kind) where \(expected) is expected", label: "expected \(expected)")
    }

    public var kind: String {
        switch content {
        case .scalar(let text, _): isEmpty ? "nothing" : quote(text)
        case .list: "a list"
        case .map: "a map"
        }
    }

    public func fault(_ code: FaultCode, _ message: String, label: String = "", help: String = "") -> Fault {
        Fault(code, at: mark, width: width, message, label: label, help: help)
    }
}

extension ValueFormat where Value == Int64 {
    /// A number with a unit, as a whole number of base units.
    public static func quantity(_ measure: QuantityKind, in range: ClosedRange<Int64> = 0 ... .max) -> ValueFormat {
        @Sendable func expected() -> String { "\(measure.noun) such as \(measure.example)" }
        return ValueFormat(
            expected(),
            shape: { .quantity(noun: measure.noun, example: measure.example, pattern: measure.pattern) },
            read: { node, faults in
                guard let (text, _) = node.scalar(expected(), &faults) else { return nil }
                switch measure.parse(text) {
                case .success(let value):
                    if range.contains(value) { return value }
                    let allowed =
                        range.upperBound == .max
                        ? "at least \(measure.text(range.lowerBound))"
                        : "from \(measure.text(range.lowerBound)) to \(measure.text(range.upperBound))"
                    faults.note(node.fault(.outOfRange, "\(quote(text)) is out of range", label: "must be \(allowed)"))
                case .failure(let trouble):
                    let limit = measure.text(range.upperBound)
                    faults.note(
                        node.fault(trouble, in: text, expected: expected(), units: measure.unitNames, limit: limit))
                }
                return nil
            },
            write: { .text(measure.text($0)) })
    }

    /// A whole number without a unit.
    public static func count(in range: ClosedRange<Int64> = 0 ... .max) -> ValueFormat {
        let expected = "a whole number"
        return ValueFormat(
            expected, shape: { .integer(range) },
            read: { node, faults in
                guard let (text, quoted) = node.scalar(expected, &faults) else { return nil }
                switch plainNumber(text).flatMap({ $0.whole }) {
                case .success(let value):
                    if quoted {
                        faults.note(node.fault(.quotedNumber, "\(quote(text)) is a text", label: "remove the quotes"))
                    } else if range.contains(value) {
                        return value
                    } else {
                        let allowed =
                            range.upperBound == .max
                            ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
                        faults.note(
                            node.fault(.outOfRange, "\(quote(text)) is out of range", label: "must be \(allowed)"))
                    }
                case .failure(let trouble):
                    faults.note(
                        node.fault(trouble, in: text, expected: expected, units: "", limit: "\(range.upperBound)"))
                }
                return nil
            },
            write: { .text(String($0)) })
    }

    /// A number with at most six decimals, in millionths.
    public static func decimal(in range: ClosedRange<Int64>) -> ValueFormat {
        let expected = "a number such as 0.5"
        return ValueFormat(
            expected, shape: { .decimal },
            read: { node, faults in
                guard let (text, quoted) = node.scalar(expected, &faults) else { return nil }
                switch plainNumber(text).flatMap({ $0.millionths }) {
                case .success(let value):
                    if quoted {
                        faults.note(node.fault(.quotedNumber, "\(quote(text)) is a text", label: "remove the quotes"))
                    } else if range.contains(value) {
                        return value
                    } else {
                        let bounds = [range.lowerBound, range.upperBound].map { decimalText(Int128($0), places: 6) }
                        faults.note(
                            node.fault(
                                .outOfRange, "\(quote(text)) is out of range",
                                label: "must be from \(bounds[0]) to \(bounds[1])"))
                    }
                case .failure(let trouble):
                    faults.note(node.fault(trouble, in: text, expected: expected, units: "", limit: ""))
                }
                return nil
            },
            write: { .text(decimalText(Int128($0), places: 6)) })
    }

    /// A share such as `60%` or 0.6, in parts per million.
    public static func ratio(in range: ClosedRange<Int64> = 0...1_000_000) -> ValueFormat {
        ValueFormat<ExactDecimal>.share(noun: "a share").checked { number, node, faults in
            do throws(ExactDecimal.Problem) {
                let ppm = try number.scaled(by: 1_000_000)
                if range.contains(ppm) { return ppm }
                let bounds = [range.lowerBound, range.upperBound].map { decimalText(Int128($0), places: 4) + "%" }
                faults.note(
                    node.fault(
                        .outOfRange, "\(node.kind) is out of range", label: "must be from \(bounds[0]) to \(bounds[1])")
                )
            } catch {
                faults.note(
                    node.fault(
                        NumberError(error), in: node.scalar ?? "", expected: "a share such as 10%", units: "%",
                        limit: "\(range.upperBound / 10_000)%"))
            }
            return nil
        } write: {
            .text(decimalText(Int128($0), places: 4) + "%")
        }
    }
}

extension ValueFormat where Value == ExactDecimal {
    /// A share such as `2%` or 0.02, read exactly.
    static func share(noun: String) -> ValueFormat {
        @Sendable func expected() -> String { "\(noun) such as 2% or 0.02" }
        return ValueFormat(
            expected(), shape: { .fraction },
            read: { node, faults in
                guard let (text, _) = node.scalar(expected(), &faults) else { return nil }
                let isPercent = text.utf8.last == 37
                switch plainNumber(isPercent ? String(text.dropLast()) : text) {
                case .success(let number):
                    if !isPercent { return number }
                    if number.places <= 16 { return ExactDecimal(number.coefficient, places: number.places + 2) }
                    faults.note(node.fault(.tooFine, in: text, expected: expected(), units: "%", limit: ""))
                case .failure(let trouble):
                    faults.note(node.fault(trouble, in: text, expected: expected(), units: "%", limit: "100%"))
                }
                return nil
            },
            write: { .text($0.description) })
    }
}

extension ValueFormat where Value == Probability {
    public static var probability: ValueFormat {
        ValueFormat<ExactDecimal>.share(noun: "a probability").checked { number, node, faults in
            let whole = power(ofTen: number.places)
            guard 0...whole ~= number.coefficient else {
                faults.note(
                    node.fault(
                        .outOfRange, "\(node.kind) is not a probability", label: "must be from 0 to 1, or 0% to 100%"))
                return nil
            }
            return Probability(UInt64(number.coefficient), of: UInt64(whole))
        } write: {
            .text(shortestText(of: $0))
        }
    }

    /// The shortest decimal that reads back as the same probability. Reading rounds the threshold down, so the search
    /// rounds up.
    private static func shortestText(of probability: Probability) -> String {
        for places in 0...18 {
            let whole = UInt64(power(ofTen: places))
            let product = UInt128(probability.halves) * UInt128(whole)
            let parts = UInt64((product + (1 << 63) - 1) >> 63)
            if Probability(parts, of: whole) == probability {
                return decimalText(Int128(parts), places: places)
            }
        }
        return "\(probability.halves)/2^63"
    }
}

extension ValueFormat {
    /// The same format with an additional check, which may convert to another type.
    public func checked<Other: Sendable>(
        _ check: @escaping @Sendable (Value, Node, inout Faults) -> Other?,
        write: @escaping @Sendable (Other) -> Node
    ) -> ValueFormat<Other> {
        ValueFormat<Other>(
            expected, shape: shape,
            read: { node, faults in read(node, &faults).flatMap { check($0, node, &faults) } }, write: write)
    }
}

extension ExactDecimal {
    var whole: Result<Int64, NumberError> { times(1) }
    var millionths: Result<Int64, NumberError> { times(1_000_000) }

    private func times(_ factor: Int64) -> Result<Int64, NumberError> {
        do throws(Problem) { return .success(try scaled(by: factor)) } catch { return .failure(NumberError(error)) }
    }
}

/// Reads a text that consists of a single number.
func plainNumber(_ text: String) -> Result<ExactDecimal, NumberError> {
    if let trap = NumberError.pitfall(text) { return .failure(trap) }
    var scanner = NumberScanner(text)
    do throws(ExactDecimal.Problem) {
        let number = try scanner.number()
        return scanner.isAtEnd ? .success(number) : .failure(.unknownUnit(scanner.remainder, ""))
    } catch {
        return .failure(NumberError(error))
    }
}

extension Node {
    /// The fault for a malformed number: what is wrong and what to write instead.
    func fault(_ trouble: NumberError, in text: String, expected: String, units: String, limit: String) -> Fault {
        switch trouble {
        case .notANumber: fault(.notANumber, "\(quote(text)) is not a number", label: "expected \(expected)")
        case .tooLarge:
            fault(.outOfRange, "\(quote(text)) is too large", label: limit.isEmpty ? "" : "at most \(limit)")
        case .tooFine:
            fault(.tooFine, "\(quote(text)) has more digits than can be kept", label: "expected \(expected)")
        case .sexagesimal:
            fault(
                .sexagesimal, "\(quote(text)) is ambiguous", label: "expected \(expected)",
                help: "YAML 1.1 reads it as a number in base 60; write 90s or 1m30s instead of 1:30")
        case .octal:
            fault(
                .octal, "\(quote(text)) is ambiguous", label: "expected \(expected)",
                help: "YAML 1.1 reads a leading 0 as octal; write decimal digits without it")
        case .notFinite: fault(.notFinite, "\(quote(text)) is not a finite number", label: "expected \(expected)")
        case .bareNumber(let fix):
            fault(.bareNumber, "\(quote(text)) has no unit", label: "write \(fix)", help: "units are \(units)")
        case .unknownUnit(let unit, let hint) where units.isEmpty:
            fault(.notANumber, "\(quote(text)) is not \(expected)", label: "remove \(quote(unit))", help: hint)
        case .unknownUnit(let unit, let hint):
            fault(
                .unknownUnit, "unknown unit \(quote(unit))", label: hint,
                help: "expected \(expected); units are \(units)")
        }
    }
}
