#include "mixed.h"
inline int ONE = 1;

translator plain < ;
