#pragma once

/// A file of this repository as it was when the program was built: its path from the root, and its bytes up to a zero.
struct shipped_file {
    const char *_Nonnull path;
    const unsigned char *_Nonnull text;
};

/// All of them, in the order of their paths.
const struct shipped_file *_Nonnull shipped_files(int *_Nonnull count);
