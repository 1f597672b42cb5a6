-- What `from:` and `to:` of `filter` compare. Drivers and customers have such an index already.
create index trips_created_at on trips (created_at);
create index pre_bookings_appointment_date on pre_bookings (appointment_date);
create index invoices_date_added on invoices (invoice_date_added);
create index driver_invites_created_at on driver_invites (created_at);
create index sos_logs_created_at on sos_logs (created_at);
