#pragma once

/// The commit that the program was linked from; empty where nobody said.
const char *_Nonnull deadzone_commit(void);
