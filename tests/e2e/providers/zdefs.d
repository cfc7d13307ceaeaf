/* -Z accepts descriptions that match nothing.
 @@options: -Z */
#pragma D option quiet

nosuch:::probe { @never = count(); }
BEGIN { @ = count(); exit(0); }
