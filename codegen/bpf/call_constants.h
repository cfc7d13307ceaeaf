/* Constants on both sides of a call of the support library (support.h): for the functions in C and for the code that
   codegen emits. Valid C11 and C++. */
#pragma once

/* All sizes of one call in one word: the capacity of the destination, the most characters it may get, and the
   capacities of the first and the second source. The capacities are multiples of 8, and kept in units of 8. */
#define DS_SIZES(destination, characters, first, second)                            \
  ((unsigned long long)(destination) / 8 | (unsigned long long)(characters) << 15 | \
   (unsigned long long)(first) / 8 << 33 | (unsigned long long)(second) / 8 << 48)

/* The start of ds_rindex when the D program gives none. */
#define DS_FROM_END 0x7fffffffffffffffLL

/* How many directories and mounts ds_path looks at, from the file upwards; of longer paths the beginning is missing. */
#define DS_PATH_STEPS 64
/* Characters of the longest name of a file. */
#define DS_MAX_NAME_LENGTH 255
