import DeadzoneBase

/// The value of `extends:`: a path, or a map with the path and the sections of that file that are left out.
///
/// A list or a plain value is replaced by writing the key again, and `key: ~` removes a key. A map is merged, so a file
/// that needs a section of its own writes `extends: {file: ../base.yaml, without: [expect]}`.
struct ExtendsSetting {
    /// Sections that are maps, so that writing them again does not replace them.
    private static let sections = [
        "expect", "links", "matrix", "middleboxes", "phone", "population", "resolver", "server", "strategies",
        "traffic",
    ]

    let path: String
    let omittedSections: [String]

    init(path: String) { (self.path, omittedSections) = (path, []) }

    init(reading settings: inout SettingsReader) {
        path = settings.required("file", .text, standIn: "", "path of the file, relative to this file")
        let words = Self.sections.map { ($0, $0) }
        omittedSections =
            settings.list(
                "without", of: .word(words, noun: "a section that is a map"), counts: 1...Self.sections.count,
                "sections of that file that are left out, such as `expect`"
            ) ?? []
    }

    /// Reads the value; `nil` if it has a fault.
    init?(_ node: Node, _ faults: inout Faults) {
        guard node.entries != nil else {
            guard let path = ValueFormat<String>.text.read(node, &faults) else { return nil }
            self.init(path: path)
            return
        }
        var settings = SettingsReader(node, of: "`extends`")
        self.init(reading: &settings)
        settings.finish()
        faults.note(contentsOf: settings.faults)
        if !settings.faults.isEmpty { return nil }
    }

    /// A document without the sections that are left out.
    func remaining(of document: Node) -> Node {
        guard !omittedSections.isEmpty, let entries = document.entries else { return document }
        var rest = document
        rest.content = .map(entries.filter { !omittedSections.contains($0.key) })
        return rest
    }
}
