import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct FactTests {
    @Test("Else a new name in Swift would change the event lines that scripts read")
    func namesStayAsTheyWere() {
        let head = """
            # Events

            Every kind of record that a run writes: its number in a trace, its name in event lines (NDJSON), under which keys \
            the line says more than when and of whom, and the words that its tag can say. `tag` stands for `interface`, \
            `state` and `level` or `direction`, and `cause`, of a radio that has changed also `technology`.


            """
        expectSnapshot(head + Fact.page, "events.md", under: Repository.root + "/Results")
    }

    @Test("Else a kind of record would be written that nothing explains, or two would be told by one name")
    func everyKindHasOneRow() {
        #expect(Fact.all.map(\.kind.rawValue).sorted() == Kind.allCases.map(\.rawValue).sorted())
        #expect(Set(Fact.all.map(\.name)).count == Fact.all.count)
        for fact in Fact.all {
            #expect(fact.kind.fact.name == fact.name && fact.meaning.hasSuffix("."), "\(fact.name)")
            #expect(fact.name.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }, "\(fact.name)")
            #expect(fact.tagKey != fact.value.rawValue, "\(fact.name)")
        }
    }

    @Test("Else a fold would add up one kind in the name of another")
    func everyKindHasItsPlace() {
        #expect(Kind.allCases.map(\.place) == Array(Kind.allCases.indices))
        #expect(Kind.allCases.filter { $0.place <= Kind.bytes.place } == [.residency, .promotion, .bytes])
    }

    @Test("Else what one room writes another would read as something else")
    func tagsReadBackAsWritten() {
        for interface in Interface.allCases {
            for cause in Cause.allCases {
                for technology: UInt8 in 0..<8 {
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
        for fact in Fact.all { #expect(!fact.understands(.max) || fact.tags.isEmpty, "\(fact.name)") }
        for fact in Fact.all { for tag in fact.tags { #expect(fact.understands(tag)) } }
        let closed = Record(at: .zero, lane: 0, kind: .closed, tag: CloseCode.reset.rawValue)
        #expect(closed.tag(of: .closed) == .reset && closed.tag(of: .failed) == nil)
    }

    @Test("Else a damaged trace would be told as if it were sound")
    func whatNamesNothingIsANumber() {
        var told: [String: Fact.Word] = [:]
        Record(at: .zero, lane: 0, kind: .closed, tag: 999, value: 4).tell { told[$0] = $1 }
        #expect(told == ["reason": .number(999), "connection": .number(4)])
    }
}
