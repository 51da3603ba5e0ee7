"""Instructions of a command, counted by callgrind, and captures of a chosen length. captures.py and peers.py use it.

The copies of glibc use vectors, not `rep movsb`, of which valgrind counts each byte.
"""

import re
import struct
import subprocess

# The bare loop of libpcap.
LOOP = """
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdio_ext.h>
static char buffer[256 * 1024];
int main(int count, char **words) {
    char error[PCAP_ERRBUF_SIZE];
    FILE *file = fopen(words[1], "rb");
    if (!file) return 1;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    __fsetlocking(file, FSETLOCKING_BYCALLER);
    pcap_t *capture = pcap_fopen_offline(file, error);
    if (!capture) return 1;
    struct pcap_pkthdr *header;
    const unsigned char *data;
    unsigned long packets = 0, bytes = 0;
    while (pcap_next_ex(capture, &header, &data) == 1) { packets++; bytes += header->len; }
    printf("%lu %lu\\n", packets, bytes);
}
"""
ENVIRONMENT = {
    "LC_ALL": "C.UTF-8", "CI": "true", "SWIFT_DETERMINISTIC_HASHING": "1", "PATH": "/usr/local/bin:/usr/bin:/bin",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=0xffffffff:glibc.cpu.x86_rep_stosb_threshold=0xffffffff",
}


def repeat(source, target, count):
    """Writes so many packets of a pcap file of little-endian microseconds, again and again."""
    data = source.read_bytes()
    assert data[:4] == b"\xd4\xc3\xb2\xa1", source
    packets, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, captured, wire = struct.unpack_from("<IIII", data, at)
        packets.append((seconds * 1_000_000 + fraction, captured, wire, data[at + 16 : at + 16 + captured]))
        at += 16 + captured
    length = max(packet[0] for packet in packets) - min(packet[0] for packet in packets) + 1
    with open(target, "wb") as file:
        file.write(data[:24])
        for index in range(count):
            time, captured, wire, content = packets[index % len(packets)]
            time += index // len(packets) * length
            file.write(struct.pack("<IIII", time // 1_000_000, time % 1_000_000, captured, wire) + content)


def instructions(*words):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, words)]
    done = subprocess.run(tool, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def compile_loop(folder):
    """Compiles the bare loop, and returns its path."""
    (folder / "loop.c").write_text(LOOP)
    subprocess.run(["cc", "-O2", folder / "loop.c", "-o", folder / "loop", "-lpcap"], check=True)
    return folder / "loop"
