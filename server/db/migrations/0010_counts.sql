-- A stored number is the sum of its parts. Changes at the same time wait for each other only if they write the same part.
drop table counters;
create table counters (
  name text not null,
  part {integer} not null,
  value {integer} not null,
  primary key (name, part)
) {table_end};
-- For each day in Nairobi, counted from 1970, how many records of a list belong to it and fulfil a term of `filter`; the term
-- '' stands for all of them. No record of the day has an id below `low` or above `high`.
create table daily (
  entity text not null,
  term text not null,
  day {integer} not null,
  part {integer} not null,
  n {integer} not null,
  low {integer} not null,
  high {integer} not null,
  primary key (entity, term, day, part)
) {table_end};
alter table drivers add column unpaid_invoices {integer} not null default 0;
create index drivers_unpaid_invoices on drivers (id) where unpaid_invoices > 0;
drop index invoices_unpaid_driver;
drop index invoices_unpaid_grace;
create index invoices_paid_grace on invoices (paid, grace_end_date);
