-- What the terms of `filter` compare, and the whole names and codes that a search finds first.
create index drivers_deleted on drivers (deleted, id);
create index drivers_online on drivers (online, id);
create index drivers_busy on drivers (busy, id);
create index trips_status on trips (status, id);
create index pre_bookings_status on pre_bookings (status, id);
create index pre_bookings_paid on pre_bookings (paid, id);
create index invoices_paid on invoices (paid, id);
create index invoices_unpaid_grace on invoices (grace_end_date) where paid = 0;
create index invoices_unpaid_driver on invoices (driver_id) where paid = 0;
create index promo_codes_valid_till on promo_codes (valid_till);
create index promo_codes_code on promo_codes (lower(code));
create index promo_codes_title on promo_codes (lower(title));
create index blogs_title on blogs (lower(title));
create index attractions_search on attractions (search);
create index coupons_search on coupons (search);
create index staff_search on staff (search);
create index vehicles_plate on vehicles (replace(search, '-', ''));
