from django.db import models


class Table(models.Model):
    class Meta:
        abstract = True
        managed = False


class Driver(Table):
    fullname = models.TextField()
    phone_number = models.TextField()
    date_joined = models.BigIntegerField()
    search = models.TextField()
    wallet_balance = models.BigIntegerField()
    total_trips = models.BigIntegerField()
    total_completed_trips = models.BigIntegerField()
    total_failed_trips = models.BigIntegerField()
    total_earnings = models.BigIntegerField()
    online = models.BigIntegerField()
    busy = models.BigIntegerField()
    deleted = models.BigIntegerField()
    version = models.BigIntegerField()

    class Meta(Table.Meta):
        db_table = "drivers"


class Vehicle(Table):
    driver = models.OneToOneField(Driver, models.DO_NOTHING, related_name="vehicle")
    registration = models.TextField()

    class Meta(Table.Meta):
        db_table = "vehicles"


class Customer(Table):
    class Meta(Table.Meta):
        db_table = "customers"


class Trip(Table):
    status = models.TextField()
    cost = models.BigIntegerField()

    class Meta(Table.Meta):
        db_table = "trips"


class Booking(Table):
    status = models.TextField()
    paid = models.BigIntegerField()
    amount = models.BigIntegerField()

    class Meta(Table.Meta):
        db_table = "pre_bookings"


class Invoice(Table):
    paid = models.BigIntegerField()
    amount = models.BigIntegerField()

    class Meta(Table.Meta):
        db_table = "invoices"
