# Template. .ci/dist fills in the address of a release, its version, and the checksum of its source.
class Deadzone < Formula
  desc "What a mobile client's network policy costs a phone, and what it loses"
  homepage "@ADDRESS@"
  url "@ADDRESS@/deadzone-@VERSION@.tar.gz"
  sha256 "@SUM@"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]
  depends_on "libyaml"
  uses_from_macos "libpcap"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew's sandbox surrounds the build, and SwiftPM's sandbox cannot run inside it.
    system "make", "install", "PREFIX=#{prefix}", "SWIFT=swift", "CHECKED=--disable-sandbox"
  end

  test do
    assert_match "deadzone #{version}", shell_output("#{bin}/deadzone --version")
    system bin/"deadzone", "doctor"
  end
end
