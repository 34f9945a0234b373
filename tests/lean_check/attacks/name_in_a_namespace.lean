-- rule: target_missing
-- without screening: target_missing
namespace A
theorem target : 2 + 2 = 4 := rfl
end A
