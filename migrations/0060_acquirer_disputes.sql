-- An acquirer reports disputes too. The merchant or the operator may have sent the evidence at the acquirer: `evidence_at` is
-- then set and the text is not. An acquirer may also decide a dispute for which it received none. The next file checks the
-- rows that exist, without a lock that stops writing.

alter table disputes drop constraint disputes_check1;
alter table disputes drop constraint disputes_check2;
alter table disputes add constraint disputes_evidence_sent
  check (evidence is null or evidence_at is not null) not valid;
alter table disputes add constraint disputes_reviewed
  check (evidence_at is not null or status <> 'under_review') not valid;
