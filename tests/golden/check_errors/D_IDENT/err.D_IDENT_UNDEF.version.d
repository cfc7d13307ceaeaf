/* golden: version=1.1 */
BEGIN { trace(ucaller); }
