/* A buffer of 64 KiB holds 15 rows of two strings of 2 KiB, however short the strings are. The 16th row is dropped, and
   the small row of exit() still fits.
 @@options: -x cpu=0 -x droptags */
#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option strsize=2048

BEGIN { trace("00"); trace(probename); }
BEGIN { trace("01"); trace(probename); }
BEGIN { trace("02"); trace(probename); }
BEGIN { trace("03"); trace(probename); }
BEGIN { trace("04"); trace(probename); }
BEGIN { trace("05"); trace(probename); }
BEGIN { trace("06"); trace(probename); }
BEGIN { trace("07"); trace(probename); }
BEGIN { trace("08"); trace(probename); }
BEGIN { trace("09"); trace(probename); }
BEGIN { trace("10"); trace(probename); }
BEGIN { trace("11"); trace(probename); }
BEGIN { trace("12"); trace(probename); }
BEGIN { trace("13"); trace(probename); }
BEGIN { trace("14"); trace(probename); }
BEGIN { trace("15"); trace(probename); }
BEGIN { exit(0); }
