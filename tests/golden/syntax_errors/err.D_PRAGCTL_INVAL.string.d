#"foo"
BEGIN { }
