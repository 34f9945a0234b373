-- rule: guarded_messages
-- without screening: lean sorry target_missing
#guard_msgs (drop all) in
theorem target : 2 + 2 = 5 := rfl
