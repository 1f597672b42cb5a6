-- The order of a saved view's columns; null in views that were saved before it was stored.
alter table views add column column_order text;
