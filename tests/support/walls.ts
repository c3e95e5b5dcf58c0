/** Where nothing in the database stops a wrong row any more. */
export const TAKE_DOWN_THE_WALLS = `
  set local session_replication_role = replica;
  do $$ declare wall record; begin
    for wall in select conrelid::regclass as place, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', wall.place, wall.conname); end loop;
    for wall in select indexrelid::regclass as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and indpred is not null and relnamespace = 'public'::regnamespace
    loop execute format('drop index %s', wall.name); end loop;
  end $$;`;
