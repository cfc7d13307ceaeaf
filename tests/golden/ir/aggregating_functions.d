/* Bucket arithmetic is in the support library. min and max are reset in each generation. */
BEGIN { @ = quantize(arg0); @b = lquantize(arg0, 0, 10, 1); @c = min(arg0); @d = stddev(arg0); }
/* CHECK: call i64 @ds_quantize_bucket(i64 */
/* CHECK: call i64 @ds_lquantize_bucket( */
/* CHECK: load i64, ptr @ds_globals */
/* CHECK: i64 9223372036854775807 */
/* CHECK: icmp slt i64 */
/* CHECK: ds_stddev */
