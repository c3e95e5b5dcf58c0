-- A sample of a table with one large merchant may see that merchant alone. The planner would then read all jobs to find those
-- of any other. It counts on many merchants instead.
alter table jobs alter column merchant_id set (n_distinct = -0.01);
