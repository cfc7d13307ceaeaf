/* Unknown events and excessive rates are rejected before tracing starts. */
cpc:::cpu_clock-all-99 { }
