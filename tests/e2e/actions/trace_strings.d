/* trace() pads strings to 33 columns. Longer strings overflow. */

BEGIN { trace("ab"); trace("cd"); }
BEGIN { trace("a string that is longer than thirty three columns"); trace(1); }
BEGIN { trace(""); trace(execname); trace(stringof(curthread->comm)); }
BEGIN { s = "v"; trace(s); trace(strjoin(s, s)); exit(0); }
