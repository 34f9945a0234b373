-- rule: lean3_source
-- without screening: lean3_source
theorem target : 2 + 2 = 5 :=
begin
  refl,
end
