-- What happens beside the changes of records, which are in `audit`: logins, refused logins, exports, files, staff commands.
-- `staff_id` is the account that did it, or whose login was refused; null for a command and for the server itself.
create table audit_events (
  id {id},
  at {integer} not null,
  event text not null,
  staff_id {integer} references staff (id),
  about text,
  origin text,
  n {integer} not null,
  request_id text
) {table_end};

-- One chain of seals over the rows of both tables (server/audit/seals.ts). `rows_of` names the table.
create table audit_seals (
  id {integer} primary key,
  at {integer} not null,
  rows_of text not null,
  first_id {integer} not null,
  last_id {integer} not null,
  n {integer} not null,
  previous text not null,
  hash text not null
) {table_end};

-- From where a session was begun, and with which browser; not known for sessions from before.
alter table sessions add column address text;
alter table sessions add column browser text;
