"""
The calls of drivers with Django REST framework, as its tutorial would write them, on the database of the product:
page numbers with exact totals, `contains`, `select_for_update`, aggregates, openpyxl. It checks no token, writes no audit
row and ignores keys of idempotency. bench/server.ts starts it with gunicorn; DATABASE_URL names the database.
"""

import os
from urllib.parse import parse_qs, unquote, urlsplit

address = urlsplit(os.environ["DATABASE_URL"])

SECRET_KEY = "bench"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "fleet.urls"
INSTALLED_APPS = ["rest_framework", "fleet"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(address.path[1:]),
        "USER": unquote(address.username or ""),
        "PASSWORD": unquote(address.password or ""),
        "HOST": parse_qs(address.query).get("host", [address.hostname or ""])[0],
        "PORT": address.port or 5432,
        "CONN_MAX_AGE": None,
    }
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "UNAUTHENTICATED_USER": None,
}
