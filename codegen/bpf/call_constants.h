/* Constants shared by the support library's C functions (support.h) and the code that codegen emits to call them.
   Valid C11 and C++. */
#pragma once

/* Packs all sizes of one call into one word: the capacity of the destination, its maximum number of characters, and
   the capacities of the first and the second source. Capacities are multiples of 8 and stored in units of 8. */
#define DS_SIZES(destination, characters, first, second)                            \
  ((unsigned long long)(destination) / 8 | (unsigned long long)(characters) << 15 | \
   (unsigned long long)(first) / 8 << 33 | (unsigned long long)(second) / 8 << 48)

/* The capacities in a word that DS_SIZES has packed. */
#define DS_DESTINATION_OF(sizes) (((sizes) & 0x7fff) * 8)
#define DS_FIRST_OF(sizes) (((sizes) >> 33 & 0x7fff) * 8)
#define DS_SECOND_OF(sizes) (((sizes) >> 48) * 8)

/* Bytes that ds_link_ntop reads of an address. */
#define DS_LINK_ADDRESS 20

/* The start position of ds_rindex if the D program passes none. */
#define DS_FROM_END 0x7fffffffffffffffLL

/* The maximum number of directories and mounts that ds_path visits from the file upward. A longer path loses its
   beginning. */
#define DS_PATH_STEPS 64
/* The kernel's NAME_MAX: characters of the longest file name. */
#define DS_MAX_NAME_LENGTH 255
