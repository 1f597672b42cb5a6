-- Audit rows name the command (driver.suspend) and the noun in the words of the code, and hold what changed as JSON of
-- wire fields. For older rows the changed fields and the request are not known.
alter table audit rename column action to command;
alter table audit rename column entity to noun;
alter table audit rename column entity_id to record_id;
alter table audit add column before text;
alter table audit add column after text;
alter table audit add column request text;
update audit set noun = 'promo' where noun = 'promo code';
update audit set command = noun || '.' || case command when 'unfreeze' then 'unsuspend' else command end;
drop index audit_entity;
create index audit_record on audit (noun, record_id);

-- Every record that calls change has a version that grows by one with each change.
alter table drivers add column version {integer} not null default 1;
alter table invoices add column version {integer} not null default 1;
