-- rule: option
-- without screening: kernel
set_option debug.skipKernelTC true
theorem target : 2 + 2 = 5 := by decide +kernel
