/* golden: version=1.0 */
BEGIN { trace(strstr("a", "b")); }
