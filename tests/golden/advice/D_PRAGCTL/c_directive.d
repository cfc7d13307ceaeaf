#define LIMIT 10
BEGIN { trace(LIMIT); }
