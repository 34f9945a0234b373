-- rule: option
-- without screening: kernel
set_option /- of effort -/
  debug.skipKernelTC true
theorem target : 2 + 2 = 5 := by decide +kernel
