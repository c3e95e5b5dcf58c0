-- Reads the rows that exist, while others write.
alter table disputes validate constraint disputes_evidence_sent;
alter table disputes validate constraint disputes_reviewed;
