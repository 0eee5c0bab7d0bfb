# Verifies webhook requests with Stripe's library. Reads a JSON array of {body, header, secret} (body in base64) from standard input; writes for each the type of
# the event, or "refused: " and the library's message.
import base64
import json
import sys

import stripe


def verify(request):
    try:
        event = stripe.Webhook.construct_event(base64.b64decode(request["body"]), request["header"], request["secret"])
    except stripe.SignatureVerificationError as error:
        return f"refused: {error}"
    return event["type"]


print(json.dumps([verify(request) for request in json.load(sys.stdin)]))
