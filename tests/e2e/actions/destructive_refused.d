/* Without -w nothing is run. */
BEGIN { system("echo no"); }
