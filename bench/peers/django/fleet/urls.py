from django.urls import path

from . import views

api = "api/v1/oms/"
urlpatterns = [
    path(api + "drivers/", views.Drivers.as_view()),
    path(api + "drivers/<int:pk>", views.OneDriver.as_view()),
    path(api + "driver/<int:pk>/suspend/", views.Suspension.as_view(deleted=1)),
    path(api + "driver/<int:pk>/unfreeze/", views.Suspension.as_view(deleted=0)),
    path(api + "analytics/", views.Analytics.as_view()),
    path(api + "drivers-export-excel/", views.Export.as_view()),
]
