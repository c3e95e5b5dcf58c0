-- Timed work is claimed by kind and by merchant, each from an index of its own, so that neither a crowded kind nor a
-- merchant's backlog makes claiming slower for others. Work that keeps failing is marked.

alter table jobs add column needs_attention_at timestamptz;
alter table jobs add column problem text;

create index jobs_by_kind on jobs (kind, due_at);
create index jobs_by_merchant on jobs (merchant_id, kind, due_at);
drop index jobs_by_due;

create index jobs_failing on jobs (id) where problem is not null;
create index jobs_needing_attention on jobs (needs_attention_at) where needs_attention_at is not null;
