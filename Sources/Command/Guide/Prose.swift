import DeadzoneShipped

extension GuidePage {
    /// Hand-written pages, in reading order.
    package static let prose: [GuidePage] = [
        "ten-minutes",
        "symptoms",
        "everyday-worlds",
        "my-client",
        "bug-report",
        "perfetto",
        "choose-a-setting",
        "studio",
        "find-what-breaks-it",
        "which-profile",
        "how-many-replicas",
        "fleets",
        "why-dearer",
        "why-lost",
        "reading-a-zombie",
        "gates",
        "baseline",
        "ci",
        "modelled",
        "strategy",
        "from-aro",
        "from-toxiproxy",
        "real-phone",
        "from-k6",
        "cluster",
        "results-as-tables",
        "glossary",
    ].map { GuidePage($0, markdown: shipped("Sources/Command/Guide/pages/\($0).md")) }
}
