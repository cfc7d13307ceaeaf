/* @@normal */
BEGIN { trace("loud"); }
BEGIN { setopt("quiet"); }
BEGIN { printf("quiet\n"); }
BEGIN { setopt("nosuch"); setopt("bufsize", "1m"); setopt("aggsortrev", "maybe"); }
BEGIN { setopt(probename == "BEGIN" ? "aggsortrev" : "quiet"); }
BEGIN { @[1] = sum(1); @[2] = sum(2); exit(0); }
