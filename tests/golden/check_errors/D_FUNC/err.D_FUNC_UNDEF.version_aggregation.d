/* golden: version=1.6.3 */
BEGIN { @ = llquantize(1, 10, 0, 5, 10); }
