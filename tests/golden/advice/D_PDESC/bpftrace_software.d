software:page-faults:100 { }
