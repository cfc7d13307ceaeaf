provider p { probe start(); };
#pragma D attributes Stable/Stable/Common module p name
