-- rule: module_system
-- without screening: module_system lean target_missing
-- reference: theorem target : 2 + 2 = 4 := sorry
module
public theorem target : 2 + 2 = 4 := rfl
