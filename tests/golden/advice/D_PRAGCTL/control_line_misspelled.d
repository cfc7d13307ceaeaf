#pragam D option quiet
BEGIN { trace(1); }
