/* A header that is neither valid D nor valid C: D's message is printed. @@options: -C -xerrtags */
#include "error_in_both.h"
BEGIN { exit(0); }
