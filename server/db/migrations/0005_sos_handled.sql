-- When and by whom an SOS log was acknowledged; both are null while it is new.
alter table sos_logs add column handled_at {integer};
alter table sos_logs add column handled_by {integer} references staff (id);
alter table sos_logs add column version {integer} not null default 1;
create index sos_logs_new on sos_logs (id) where handled_at is null;
create index sos_logs_handled on sos_logs (id) where handled_at is not null;
