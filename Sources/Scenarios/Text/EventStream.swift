import CYAML
import DeadzoneBase

/// One event of the YAML parser libyaml, such as the start of a list, with its position.
struct YAMLEvent {
    enum YAMLEventKind {
        case documentStart, documentEnd, streamEnd
        case scalar(String, quoted: Bool)
        case alias(String)
        case listStart, listEnd, mapStart, mapEnd
    }

    var kind: YAMLEventKind
    var anchor: String?
    var tag: String?
    var mark: SourceMark
    var width: Int
}

/// Parses YAML with libyaml and returns its events one by one. The document API of libyaml was rejected: it loses the
/// positions of keys, and only the stack limits its recursion.
final class EventStream {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let file: Int

    init(_ bytes: [UInt8], file: Int) {
        self.file = file
        // libyaml would skip a byte order mark but count it as the first column of the first line.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        input = .allocate(capacity: text.count)
        _ = input.initialize(fromContentsOf: text)
        // A separate statement, because unchecked builds do not evaluate the argument of a precondition.
        let isReady = yaml_parser_initialize(parser) == 1
        precondition(isReady, "libyaml has no memory for a parser")
        yaml_parser_set_input_string(parser, input.baseAddress, text.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event. Do not call it after `streamEnd` or a fault.
    func next() throws(SyntaxFault) -> YAMLEvent {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw SyntaxFault(fault: syntaxFault()) }
            defer { yaml_event_delete(&event) }
            if let read = read(event) { return read }
        }
    }

    struct SyntaxFault: Error {
        var fault: Fault
    }

    private func read(_ event: yaml_event_t) -> YAMLEvent? {
        let data = event.data
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return made(.documentStart, event)
        case YAML_DOCUMENT_END_EVENT: return made(.documentEnd, event)
        case YAML_STREAM_END_EVENT: return made(.streamEnd, event)
        case YAML_ALIAS_EVENT: return made(.alias(text(data.alias.anchor) ?? ""), event)
        case YAML_SEQUENCE_END_EVENT: return made(.listEnd, event)
        case YAML_MAPPING_END_EVENT: return made(.mapEnd, event)
        case YAML_SEQUENCE_START_EVENT:
            return made(.listStart, event, anchor: data.sequence_start.anchor, tag: data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            return made(.mapStart, event, anchor: data.mapping_start.anchor, tag: data.mapping_start.tag)
        case YAML_SCALAR_EVENT:
            let scalar = data.scalar
            let value = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let quoted = scalar.style != YAML_PLAIN_SCALAR_STYLE
            return made(.scalar(value, quoted: quoted), event, anchor: scalar.anchor, tag: scalar.tag)
        default: return nil
        }
    }

    private func made(
        _ kind: YAMLEvent.YAMLEventKind, _ event: yaml_event_t, anchor: UnsafeMutablePointer<UInt8>? = nil,
        tag: UnsafeMutablePointer<UInt8>? = nil
    ) -> YAMLEvent {
        let start = event.start_mark
        let isOnOneLine = event.end_mark.line == start.line
        let width = isOnOneLine ? Int(event.end_mark.column) - Int(start.column) : 1
        return YAMLEvent(
            kind: kind, anchor: text(anchor), tag: text(tag), mark: mark(start), width: max(1, width))
    }

    private func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? { pointer.map { String(cString: $0) } }

    private func mark(_ mark: yaml_mark_t) -> SourceMark {
        SourceMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1, file: file)
    }

    private func syntaxFault() -> Fault {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "libyaml ran out of memory"
        let context = state.context.map { String(cString: $0) } ?? ""
        let place = mark(state.problem_mark)
        let index = Int(state.problem_mark.index)
        return SyntaxAdvice(
            problem: problem, context: context, mark: place,
            contextMark: context.isEmpty ? nil : mark(state.context_mark),
            character: scalar(at: index), hasPlaceholder: hasPlaceholder(before: index)
        ).fault
    }

    /// `true` if `${` occurs within the 80 characters before the position at which parsing stopped.
    private func hasPlaceholder(before index: Int) -> Bool {
        String(String.UnicodeScalarView(String(decoding: input, as: UTF8.self).unicodeScalars.prefix(index).suffix(80)))
            .contains("${")
    }

    /// The character at an index that libyaml counts in characters.
    private func scalar(at index: Int) -> Unicode.Scalar? {
        String(decoding: input, as: UTF8.self).unicodeScalars.dropFirst(index).first
    }
}
