extension GuidePage {
    /// The pages that people write, in the order in which one reads them.
    public static let prose: [GuidePage] = [
        page("ten-minutes", PackageResources.ten_minutes_md),
        page("symptoms", PackageResources.symptoms_md),
        page("my-client", PackageResources.my_client_md),
        page("which-profile", PackageResources.which_profile_md),
        page("how-many-replicas", PackageResources.how_many_replicas_md),
        page("why-dearer", PackageResources.why_dearer_md),
        page("reading-a-zombie", PackageResources.reading_a_zombie_md),
        page("gates", PackageResources.gates_md),
        page("baseline", PackageResources.baseline_md),
        page("modelled", PackageResources.modelled_md),
        page("strategy", PackageResources.strategy_md),
        page("from-aro", PackageResources.from_aro_md),
        page("from-toxiproxy", PackageResources.from_toxiproxy_md),
        page("real-phone", PackageResources.real_phone_md),
        page("from-k6", PackageResources.from_k6_md),
        page("cluster", PackageResources.cluster_md),
        page("glossary", PackageResources.glossary_md),
    ]

    private static func page(_ name: String, _ bytes: [UInt8]) -> GuidePage {
        GuidePage(name, markdown: String(decoding: bytes, as: UTF8.self))
    }
}
