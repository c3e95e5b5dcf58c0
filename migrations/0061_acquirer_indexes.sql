-- Outside a transaction.
-- Reads the rows that exist, while others write.
alter table disputes validate constraint disputes_evidence_sent;
alter table disputes validate constraint disputes_reviewed;

-- Every node opens the links of active accounts when it starts, and when accounts change.
drop index concurrently if exists acquirer_accounts_active;
create index concurrently acquirer_accounts_active on acquirer_accounts (connector, id) where status = 'active';

-- Finished messages are deleted by their age.
drop index concurrently if exists iso8583_messages_created;
create index concurrently iso8583_messages_created on iso8583_messages (created_at);
