/* Constant inlines are folded: shell wrappers set them to configure scripts. */
inline int VERBOSE = 0;
inline int NANOS = 1000 * 1000;
int x;
BEGIN /!VERBOSE/ { VERBOSE ? printf("never") : 1; x = NANOS; }
/* CHECK: br i1 true, label %body */
/* CHECK: store i32 1000000, ptr @ds_globals */
/* NEVER: @ds_ring */
