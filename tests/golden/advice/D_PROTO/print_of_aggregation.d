BEGIN { @x = count(); print(@x); }
