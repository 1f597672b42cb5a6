-- Saved views: a list with its filters, order, rows per page and hidden columns, under a name that one staff member gave it.
create table views (
  id {id},
  staff_id {integer} not null references staff (id),
  list text not null,
  name text not null,
  query text not null,
  hidden text not null,
  pinned {integer} not null check (pinned in (0, 1)),
  position {integer} not null,
  created_at {integer} not null,
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  version {integer} not null default 1
) {table_end};
create index views_staff on views (staff_id, deleted);
