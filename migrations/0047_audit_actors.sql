-- Who acted and from where. Null: the gateway itself, in a job. Entries from before this have neither.
alter table audit_log
  add column actor   text,
  add column address text;

create or replace function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- The one change that there is: a row without a seal gets it.
    if old.place is null and new.place is not null
      and (new.id, new.at, new.act, new.merchant_id, new.subject_id, new.detail, new.actor, new.address)
        is not distinct from
          (old.id, old.at, old.act, old.merchant_id, old.subject_id, old.detail, old.actor, old.address) then
      return new;
    end if;
  end if;
  raise exception 'the audit log only grows' using errcode = 'insufficient_privilege';
end $$;
