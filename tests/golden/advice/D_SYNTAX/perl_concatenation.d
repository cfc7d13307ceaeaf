BEGIN { x = "a" . "b"; }
