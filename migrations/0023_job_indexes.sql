-- Outside a transaction.
-- Jobs are claimed by kind and by merchant, each from an index of its own, so that neither a crowded kind nor a
-- merchant's backlog makes claiming slower for others.
drop index concurrently if exists jobs_by_kind;
create index concurrently jobs_by_kind on jobs (kind, due_at);
drop index concurrently if exists jobs_by_merchant;
create index concurrently jobs_by_merchant on jobs (merchant_id, kind, due_at);
drop index concurrently if exists jobs_failing;
create index concurrently jobs_failing on jobs (id) where problem is not null;
drop index concurrently if exists jobs_needing_attention;
create index concurrently jobs_needing_attention on jobs (merchant_id, id) where needs_attention_at is not null;
drop index concurrently if exists jobs_by_due;
