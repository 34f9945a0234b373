-- rule: option
-- without screening: kernel
set_option debug.skipKernelTC true
theorem absurdity : False := by decide +kernel
theorem target : 2 + 2 = 5 := absurdity.elim
