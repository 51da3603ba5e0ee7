/// Version of the tool. Every result contains it.
package let toolVersion = "0.2.0"

/// Release date of this version, as in the changelog.
package let toolDate = "2026-11-23"
