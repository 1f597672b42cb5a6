-- The town of each place that the gazetteer knows, by the name of the place. Filled by server/db/areas.ts.
create table place_areas (
  place text not null primary key,
  area text not null
) {table_end};

-- For each day in Nairobi, counted from 1970, and each area, how many completed trips began there and the sum of their
-- fares. The area of a place that the gazetteer does not know is ''.
create table area_days (
  day {integer} not null,
  area text not null,
  n {integer} not null,
  amount {integer} not null,
  primary key (day, area)
) {table_end};
