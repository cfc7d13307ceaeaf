#pragma D attributes evolving/STABLE/isa before
int before;
inline int after = 3;
#pragma D attributes Private after
provider p { probe start(int); };
#pragma D attributes Evolving/Evolving/Common provider p provider
#pragma D attributes Private/Private/Unknown provider p module
#pragma D attributes Private/Private/Unknown provider p function
#pragma D attributes Evolving/Evolving/Common provider p name
#pragma D attributes Evolving/Evolving/Common provider p args
BEGIN { before = after; }
