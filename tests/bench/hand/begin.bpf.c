// BEGIN { exit(0); }: the loader runs a program named begin by TEST_RUN; 1 means exit.
#include "hand.bpf.h"

SEC("raw_tp")
int begin(void* context) { return 1; }
