/// All kinds of error that a user's file can have, each with a number such as E0104. `deadzone list errors` prints this
/// table, `deadzone explain E0104` one row. Codes are a public contract: append new codes, never renumber.
public enum FaultCode: String, CaseIterable, Sendable {
    // Faults of the text itself.
    case tooLarge = "E0001"
    case notUTF8 = "E0002"
    case controlCharacter = "E0003"
    case syntax = "E0004"
    case tab = "E0005"
    case tooDeep = "E0006"
    case tooManyAliases = "E0007"
    case unknownAlias = "E0008"
    case duplicateKey = "E0009"
    case tag = "E0010"
    case severalDocuments = "E0011"
    case emptyFile = "E0012"
    case keyNotText = "E0013"
    case mergeKey = "E0014"
    case lineSeparator = "E0015"

    // Faults of single values.
    case missing = "E0101"
    case wrongType = "E0102"
    case noValue = "E0103"
    case unknownKey = "E0104"
    case bareNumber = "E0105"
    case notANumber = "E0106"
    case unknownUnit = "E0107"
    case outOfRange = "E0108"
    case tooFine = "E0109"
    case unknownWord = "E0110"
    case notABoolean = "E0111"
    case sexagesimal = "E0112"
    case octal = "E0113"
    case notFinite = "E0114"
    case wrongForm = "E0115"
    case wrongCount = "E0116"
    case quotedNumber = "E0117"

    // Faults of scenarios.
    case version = "E0201"
    case unknownStrategy = "E0202"
    case unknownProfile = "E0203"
    case unknownMetric = "E0204"
    case badBound = "E0205"
    case unquotedSymbol = "E0206"
    case boundReference = "E0207"
    case extendsUnreadable = "E0208"
    case extendsCycle = "E0209"
    case matrixAxis = "E0210"
    case matrixSize = "E0211"
    case placeholder = "E0212"
    case timeline = "E0213"
    case lateEvent = "E0214"
    case contradiction = "E0215"
    case noFloor = "E0216"
    case badTrace = "E0217"
    case longChain = "E0218"
    case population = "E0219"

    package var title: String { row.title }
    package var explanation: String { row.explanation }
}
