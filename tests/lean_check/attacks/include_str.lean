-- rule: extern
-- without screening: lean
def secret := include_str "/etc/passwd"
theorem target : 2 + 2 = 5 := rfl
