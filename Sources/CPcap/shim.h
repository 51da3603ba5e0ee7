#include <pcap/pcap.h>
#include <stdio.h>
#ifdef __linux__
#include <stdio_ext.h>
#endif

/* libpcap over stdio at its best, for the loop that the benchmark of captures runs beside: 256 KiB at once, and no lock for a
   call. One file at a time. */
static inline pcap_t *deadzone_pcap_open_buffered(const char *path, char *error) {
    static char buffer[256 * 1024];
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
#ifdef __linux__
    __fsetlocking(file, FSETLOCKING_BYCALLER);
#endif
    return pcap_fopen_offline(file, error);
}
