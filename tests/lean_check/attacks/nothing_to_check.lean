-- rule: nothing_to_check
-- without screening: nothing_to_check
def target := 5
