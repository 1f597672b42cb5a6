-- The time of the last login attempt, for a delay that grows; and the addresses from which each account has signed in.
alter table login_attempts add column last_at {integer} not null default 0;

create table login_places (
  key text primary key,
  at {integer} not null
) {table_end};
