#include <zlib.h>

/* A macro in zlib.h, which Swift cannot see: windowBits 15 + 16 reads gzip and nothing else. */
static inline int deadzone_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/* Reads deflate data without a header, as zip archives contain it. */
static inline int deadzone_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }

/* Reads data in zlib or gzip format: 32 detects which. */
static inline int deadzone_inflate_any_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
