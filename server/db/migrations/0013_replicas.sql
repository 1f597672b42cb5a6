-- Replaces no table.
-- Which changes of a staff member a replica must have (server/reads.ts).
create index audit_staff on audit (staff_id, id);
-- What each server has last written, so that it can see how far its replica is behind (server/db/replica.ts).
create table heartbeats (
  server text primary key,
  at {integer} not null
) {table_end};
