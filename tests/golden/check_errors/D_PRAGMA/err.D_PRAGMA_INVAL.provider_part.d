provider p { probe start(); };
#pragma D attributes Stable/Stable/Common provider p nosuch
