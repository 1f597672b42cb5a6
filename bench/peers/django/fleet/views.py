import tempfile

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.http import FileResponse
from openpyxl import Workbook
from rest_framework import generics, pagination, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from .models import Booking, Customer, Driver, Invoice, Trip, Vehicle


class VehicleSerializer(serializers.ModelSerializer):
    class Meta:
        model = Vehicle
        fields = ["registration"]


class DriverSerializer(serializers.ModelSerializer):
    vehicle = VehicleSerializer(read_only=True)

    class Meta:
        model = Driver
        exclude = ["search"]


class Pages(pagination.PageNumberPagination):
    page_size = 50


class Drivers(generics.ListAPIView):
    queryset = Driver.objects.select_related("vehicle").order_by("-id")
    serializer_class = DriverSerializer
    pagination_class = Pages

    def get_queryset(self):
        found = super().get_queryset()
        for word in self.request.query_params.get("s", "").split():
            found = found.filter(search__contains=word.lower())
        phone = self.request.query_params.get("phone")
        return found.filter(phone_number__contains=phone) if phone else found


class OneDriver(generics.RetrieveAPIView):
    queryset = Driver.objects.select_related("vehicle")
    serializer_class = DriverSerializer


class Suspension(APIView):
    deleted = 1

    def post(self, request, pk):
        with transaction.atomic():
            driver = generics.get_object_or_404(Driver.objects.select_for_update(), pk=pk)
            driver.deleted = self.deleted
            driver.version += 1
            driver.save(update_fields=["deleted", "version"])
        return Response({"message": driver.fullname})


class Analytics(APIView):
    def get(self, request):
        drivers = Driver.objects.aggregate(
            total_riders=Count("id"),
            total_suspended_riders=Count("id", filter=Q(deleted=1)),
            online_drivers=Count("id", filter=Q(online=1, deleted=0)),
        )
        trips = Trip.objects.aggregate(
            total_completed_trips=Count("id", filter=Q(status="Completed")),
            total_failed_trips=Count("id", filter=Q(status="Cancelled")),
            fares=Sum("cost", filter=Q(status="Completed")),
        )
        bookings = Booking.objects.aggregate(
            total_bookings=Count("id"),
            total_ongoing_bookings=Count("id", filter=Q(status="Ongoing")),
            total_completed_bookings=Count("id", filter=Q(status="Completed")),
            total_pending_bookings=Count("id", filter=Q(status="Pending")),
            paid_bookings=Sum("amount", filter=Q(paid=1)),
        )
        invoices = Invoice.objects.aggregate(
            cash_in_hand=Sum("amount", filter=Q(paid=1)),
            pending_reconciliation=Sum("amount", filter=Q(paid=0)),
        )
        customers = {"total_customers": Customer.objects.count()}
        return Response({**drivers, **trips, **bookings, **invoices, **customers})


class Export(APIView):
    def get(self, request):
        book = Workbook(write_only=True)
        sheet = book.create_sheet("Drivers")
        columns = ["id", "fullname", "phone_number", "date_joined", "total_completed_trips"]
        columns += ["total_failed_trips", "wallet_balance", "total_earnings", "vehicle__registration"]
        columns += ["online", "busy", "deleted"]
        sheet.append(columns)
        for row in Driver.objects.order_by("-id").values_list(*columns).iterator(chunk_size=2000):
            sheet.append(row)
        file = tempfile.TemporaryFile()
        book.save(file)
        file.seek(0)
        return FileResponse(file, filename="drivers.xlsx", as_attachment=True)
