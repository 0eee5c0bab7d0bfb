"""Reads deliveries, one JSON object a line, and prints 1 or 0 for each: Stripe's library accepts it, or does not."""

import json
import sys

import stripe

for line in sys.stdin:
    delivery = json.loads(line)
    try:
        event = stripe.Webhook.construct_event(delivery["body"], delivery["header"], delivery["secret"])
        print(int(event["id"] == delivery["id"]))
    except stripe.SignatureVerificationError:
        print(0)
