import Foundation

/// External programs that check our output.
enum ExternalProgram {
    static let xmllint = ["/usr/bin/xmllint", "/usr/local/bin/xmllint", "/opt/homebrew/bin/xmllint"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs a program and returns its exit status and the text of both outputs.
    static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let said = URL(filePath: NSTemporaryDirectory()).appending(path: "deadzone-said-" + UUID().uuidString)
        try Data().write(to: said)
        defer { try? FileManager.default.removeItem(at: said) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let handle = try FileHandle(forWritingTo: said)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: said), as: UTF8.self))
    }
}

/// Schema of the elements and attributes that JUnit readers agree on, after Jenkins' xunit plug-in and Ant.
let junitSchema = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:element name="testsuites"><xs:complexType>
        <xs:sequence><xs:element name="testsuite" type="suite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
        <xs:attribute name="name" type="xs:string"/><xs:attributeGroup ref="counts"/>
      </xs:complexType></xs:element>
      <xs:complexType name="suite">
        <xs:sequence><xs:element name="testcase" type="case" minOccurs="1" maxOccurs="unbounded"/></xs:sequence>
        <xs:attribute name="name" type="xs:string" use="required"/><xs:attributeGroup ref="counts"/>
        <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
      </xs:complexType>
      <xs:attributeGroup name="counts">
        <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
        <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
        <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
        <xs:attribute name="time" type="xs:decimal"/>
      </xs:attributeGroup>
      <xs:complexType name="case">
        <xs:choice minOccurs="0">
          <xs:element name="failure" type="trouble"/><xs:element name="error" type="trouble"/>
          <xs:element name="skipped" type="trouble"/><xs:element name="system-out" type="xs:string"/>
        </xs:choice>
        <xs:attribute name="classname" type="xs:string" use="required"/>
        <xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="time" type="xs:decimal"/>
      </xs:complexType>
      <xs:complexType name="trouble"><xs:simpleContent><xs:extension base="xs:string">
        <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string"/>
      </xs:extension></xs:simpleContent></xs:complexType>
    </xs:schema>

    """
