/// The radio profiles in `profiles`, built into the program so that it runs from any folder.
public let shippedProfiles: [(name: String, text: String)] = [
    ("lte-att-2012-aro", text(PackageResources.lte_att_2012_aro_yaml)),
    ("lte-att-2012-mobisys", text(PackageResources.lte_att_2012_mobisys_yaml)),
    ("lte-tmobile-2021", text(PackageResources.lte_tmobile_2021_yaml)),
    ("lte-verizon-2021", text(PackageResources.lte_verizon_2021_yaml)),
    ("nr-nsa-low-tmobile-2021", text(PackageResources.nr_nsa_low_tmobile_2021_yaml)),
    ("nr-nsa-low-verizon-2021", text(PackageResources.nr_nsa_low_verizon_2021_yaml)),
    ("nr-nsa-mmwave-verizon-2021", text(PackageResources.nr_nsa_mmwave_verizon_2021_yaml)),
    ("nr-sa-low-tmobile-2021", text(PackageResources.nr_sa_low_tmobile_2021_yaml)),
    ("umts-2012-mobisys", text(PackageResources.umts_2012_mobisys_yaml)),
    ("umts-aro-code-defaults", text(PackageResources.umts_aro_code_defaults_yaml)),
    ("umts-att-captivate", text(PackageResources.umts_att_captivate_yaml)),
    ("umts-att-i997", text(PackageResources.umts_att_i997_yaml)),
    ("umts-att-inspire", text(PackageResources.umts_att_inspire_yaml)),
    ("umts-att-thrill", text(PackageResources.umts_att_thrill_yaml)),
    ("umts-htc-dream-powertutor", text(PackageResources.umts_htc_dream_powertutor_yaml)),
    ("umts-teliasonera", text(PackageResources.umts_teliasonera_yaml)),
    ("wifi-2012-mobisys", text(PackageResources.wifi_2012_mobisys_yaml)),
    ("wifi-aro", text(PackageResources.wifi_aro_yaml)),
    ("wifi-galaxy-s2", text(PackageResources.wifi_galaxy_s2_yaml)),
]

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
