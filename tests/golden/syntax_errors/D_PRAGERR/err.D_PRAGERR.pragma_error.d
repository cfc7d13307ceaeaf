#pragma error not today
BEGIN { }
