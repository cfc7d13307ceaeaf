/* golden: zdefs */
nosuch:::probe { trace(1); }
BEGIN { trace(2); }
