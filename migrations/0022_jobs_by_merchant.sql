-- Jobs that keep failing are marked, with the reason in a few words.
alter table jobs
  add column needs_attention_at timestamptz,
  add column problem text;
