import DeadzoneBase
import DeadzoneTestKit
import Testing

@Suite struct FactTests {
    @Test("Event names and descriptions match the published page")
    func eventPageIsUnchanged() {
        let head = """
            # Events

            Every kind of record that a run writes. The columns are its number in a trace, its name in event lines \
            (NDJSON), the keys of the line besides time and phone, the values of its tag, and its meaning. `tag` stands \
            for `interface`, `state` and `level` or `direction`, and `cause`; if the radio has changed, also `technology`.


            """
        expectSnapshot(head + RecordDefinition.page, "events.md", under: Repository.root + "/Results")
    }

    @Test("Every record kind has exactly one row with a unique name and a description")
    func everyKindHasOneRow() {
        #expect(RecordDefinition.all.map(\.kind.rawValue).sorted() == RecordKind.allCases.map(\.rawValue).sorted())
        #expect(Set(RecordDefinition.all.map(\.name)).count == RecordDefinition.all.count)
        for fact in RecordDefinition.all {
            #expect(fact.kind.definition.name == fact.name && fact.meaning.hasSuffix("."), "\(fact.name)")
            #expect(fact.name.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }, "\(fact.name)")
            #expect(fact.tagKey != fact.value.rawValue, "\(fact.name)")
        }
    }

    @Test("Every record kind has its own index")
    func everyKindHasItsIndex() {
        #expect(RecordKind.allCases.map(\.ordinal) == Array(RecordKind.allCases.indices))
        #expect(
            RecordKind.allCases.filter { $0.ordinal <= RecordKind.bytes.ordinal } == [.residency, .promotion, .bytes])
    }

    @Test("Tags decode to the values that were encoded")
    func tagsReadBackAsWritten() {
        for interface in Interface.allCases {
            for cause in Cause.allCases {
                for technology: UInt8 in 0..<(Interface.common.contains(interface) ? 8 : 1) {
                    for level in PowerLevel.allCases {
                        let tag = RadioTag(
                            interface: interface, technology: technology, level: level, cause: cause,
                            isSilent: technology & 1 == 1)
                        #expect(RadioTag(bits: tag.bits) == tag)
                    }
                    for way in Direction.allCases {
                        let tag = BytesTag(interface: interface, technology: technology, direction: way, cause: cause)
                        #expect(BytesTag(bits: tag.bits) == tag)
                    }
                }
            }
        }
        for fact in RecordDefinition.all { #expect(!fact.isValidTag(.max) || fact.tags.isEmpty, "\(fact.name)") }
        for fact in RecordDefinition.all { for tag in fact.tags { #expect(fact.isValidTag(tag)) } }
        let closed = Record(at: .zero, phone: 0, kind: .closed, tag: CloseCode.reset.rawValue)
        #expect(closed.tag(of: .closed) == .reset && closed.tag(of: .failed) == nil)
    }

    @Test("An unknown tag is reported as a number")
    func unknownTagsAreNumbers() {
        var told: [String: RecordDefinition.FieldValue] = [:]
        Record(at: .zero, phone: 0, kind: .closed, tag: 999, value: 4).emitFields { told[$0] = $1 }
        #expect(told == ["reason": .number(999), "connection": .number(4)])
    }
}
