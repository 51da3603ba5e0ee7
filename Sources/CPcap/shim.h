#include <pcap/pcap.h>
#include <dlfcn.h>
#include <stdio.h>
#ifdef __linux__
#include <stdio_ext.h>
#endif

/* libpcap comes when a filter is asked for, and not before: on Debian it brings nine libraries, and to look for those takes longer than
   most of what the command is asked. NULL: this machine has none. */
static inline void *deadzone_pcap(const char *symbol) {
    static void *library;
#ifdef __APPLE__
    static const char *const names[] = {"/usr/lib/libpcap.A.dylib"};
#else
    /* Debian's name, and that of others. */
    static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1"};
#endif
    for (unsigned index = 0; !library && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : NULL;
}

#define DEADZONE_PCAP(name) ((__typeof__(&name))deadzone_pcap(#name))

/* Those of libpcap, to be called where it is there: where the last of them is not NULL. */
static inline pcap_t *deadzone_pcap_open_dead(int link_type, int longest) {
    return DEADZONE_PCAP(pcap_open_dead)(link_type, longest);
}
static inline void deadzone_pcap_close(pcap_t *handle) { DEADZONE_PCAP(pcap_close)(handle); }
static inline int deadzone_pcap_compile(pcap_t *handle, struct bpf_program *program, const char *expression) {
    return DEADZONE_PCAP(pcap_compile)(handle, program, expression, 1, PCAP_NETMASK_UNKNOWN);
}
static inline char *deadzone_pcap_geterr(pcap_t *handle) { return DEADZONE_PCAP(pcap_geterr)(handle); }
static inline void deadzone_pcap_freecode(struct bpf_program *program) { DEADZONE_PCAP(pcap_freecode)(program); }
typedef __typeof__(&pcap_offline_filter) deadzone_pcap_filter;
/* To be asked for once, and called for every packet. */
static inline deadzone_pcap_filter deadzone_pcap_offline_filter(void) { return DEADZONE_PCAP(pcap_offline_filter); }

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
