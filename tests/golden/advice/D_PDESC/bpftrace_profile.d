profile:hz:99 { }
