-- For each hour in Nairobi, counted from 1970, how many records of a table belong to it and the sum of their amounts.
create table hourly (
  entity text not null,
  hour {integer} not null,
  n {integer} not null,
  amount {integer} not null,
  primary key (entity, hour)
) {table_end};
