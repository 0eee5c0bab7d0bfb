// The one vocabulary of the operator: condition types, their reasons and the reasons of Events, each with its meaning. docs/custom-resources.md prints it.

export type ConditionStatus = 'True' | 'False' | 'Unknown'
export interface ReasonMeaning {
  status: ConditionStatus
  meaning: string
}
export interface ConditionMeaning {
  meaning: string
  reasons: Readonly<Record<string, ReasonMeaning>>
}

const SYNCED = {
  meaning: 'The object and its row in Postgres agree.',
  reasons: {
    Synced: { status: 'True', meaning: 'Both are equal.' },
    StoreUnavailable: { status: 'Unknown', meaning: 'Postgres cannot be reached. The controller tries again.' },
    StoreRolledBack: {
      status: 'False',
      meaning: 'One of the two is older than the last state seen, as after a restore. Decide with `kubectl sealwright resolve`.',
    },
    Conflict: {
      status: 'False',
      meaning:
        'The row belongs to another object, or both changed. The message names the other; `kubectl sealwright adopt` or `resolve` decides.',
    },
  },
} as const satisfies ConditionMeaning

/** Conditions in the order in which `status.conditions` lists them. */
export const WEBHOOK_CONDITIONS = {
  Accepted: {
    meaning: 'The product uses this specification.',
    reasons: {
      Accepted: { status: 'True', meaning: 'The specification is in use.' },
      LimitExceeded: { status: 'False', meaning: 'The organisation has as many webhooks as it may have. The oldest stay.' },
      AddressRefused: {
        status: 'False',
        meaning: 'The URL leads to an address that webhooks may not reach, such as a private one.',
      },
      OrganisationUnknown: { status: 'False', meaning: 'No organisation has the id in `spec.orgId`.' },
      SecretMissing: {
        status: 'False',
        meaning:
          'The Secret in `spec.secretRef` has the label, but not the key; or no worker can read Secrets. The message says which.',
      },
      SecretUnusable: {
        status: 'False',
        meaning:
          'No Secret of the name in `spec.secretRef` has the label `sealwright.io/webhook-secret: "true"`, or its value is not a signing secret.',
      },
      Duplicate: { status: 'False', meaning: 'An older object stands for the same webhook. The message names it.' },
    },
  },
  Synced: SYNCED,
  EndpointHealthy: {
    meaning: 'The endpoint accepts deliveries.',
    reasons: {
      Delivering: { status: 'True', meaning: 'It has accepted deliveries and is not disabled.' },
      AutoDisabled: {
        status: 'False',
        meaning: 'Several deliveries in a row used up their retries. It gets probes only; one that succeeds enables it again.',
      },
      NoTraffic: { status: 'Unknown', meaning: 'No delivery has reached it yet.' },
    },
  },
  RotationInProgress: {
    meaning: 'Two signing secrets are in use.',
    reasons: {
      GracePeriod: { status: 'True', meaning: 'Deliveries carry two signatures for 24 hours after a rotation.' },
      NoRotation: { status: 'False', meaning: 'One secret is in use.' },
    },
  },
  Suspended: {
    meaning: 'Deliveries are switched off on purpose.',
    reasons: {
      BySpec: { status: 'True', meaning: '`spec.suspend` is true.' },
      ByAdmin: { status: 'True', meaning: 'An administrator disabled it in the panel.' },
      NotSuspended: { status: 'False', meaning: 'It is switched on.' },
    },
  },
  Ready: {
    meaning: 'Summary: Accepted, Synced and EndpointHealthy. False with the reason of the first of them that fails.',
    reasons: {
      Ready: { status: 'True', meaning: 'None of them fails.' },
      Suspended: { status: 'True', meaning: 'Accepted and synced, and switched off on purpose.' },
    },
  },
} as const satisfies Readonly<Record<string, ConditionMeaning>>

/** Conditions in the order in which `status.conditions` lists them. */
export const KEY_CONDITIONS = {
  Accepted: {
    meaning: 'The product uses this specification.',
    reasons: {
      Accepted: { status: 'True', meaning: 'The specification is in use.' },
      AnotherKeyActive: {
        status: 'False',
        meaning: 'An older Active key has the same scope and stays; this one is on standby. The message names the other.',
      },
      OrganisationUnknown: { status: 'False', meaning: 'No organisation has the id in `spec.orgId`.' },
      SelfSignedNotAllowed: { status: 'False', meaning: 'This installation does not allow self-signed keys.' },
    },
  },
  MaterialAvailable: {
    meaning: 'Private key and certificate of the newest version can be read.',
    reasons: {
      Available: { status: 'True', meaning: 'They can be read.' },
      SecretMissing: {
        status: 'False',
        meaning:
          'No Secret of the name in `pkcs12.secretRef` has the label `sealwright.io/signing-key: "true"`, the Secret lacks a key, or one that the service made is gone.',
      },
      WrongPassword: { status: 'False', meaning: 'The password does not open the PKCS#12 file.' },
      NotPkcs12: { status: 'False', meaning: 'The file is not PKCS#12.' },
      NoPrivateKey: { status: 'False', meaning: 'The file has no private key that matches its certificate.' },
      KeyTooWeak: { status: 'False', meaning: 'The key is too short, or of a kind that seals cannot use.' },
      CertificatePending: { status: 'False', meaning: 'cert-manager has not issued the certificate yet.' },
    },
  },
  CertificateValid: {
    meaning: 'The certificate is valid now.',
    reasons: {
      Valid: { status: 'True', meaning: 'For more than 30 days.' },
      ExpiringSoon: { status: 'True', meaning: 'For at most 30 days. Rotate the key.' },
      Expired: { status: 'False', meaning: 'It has expired.' },
      NotYetValid: { status: 'False', meaning: 'Its validity has not begun.' },
    },
  },
  Loaded: {
    meaning: 'The seal workers have loaded the newest version and made a test signature with it.',
    reasons: {
      AllWorkers: { status: 'True', meaning: 'Every live worker has.' },
      WaitingForWorkers: { status: 'False', meaning: 'Some have not. The message names them.' },
    },
  },
  Trusted: {
    meaning: 'Others can build a chain from the certificate to a root.',
    reasons: {
      ChainComplete: { status: 'True', meaning: 'The key comes with its chain.' },
      SelfSigned: { status: 'False', meaning: 'The installation made the certificate. PDF readers do not trust it.' },
      ChainIncomplete: { status: 'False', meaning: 'A certificate between the key and a root is missing.' },
    },
  },
  RotationInProgress: {
    meaning: 'A next version is announced and not in use yet.',
    reasons: {
      GracePeriod: { status: 'True', meaning: 'Workers are loading it. It is used when all have, or after 60 seconds.' },
      NoRotation: { status: 'False', meaning: 'No version waits.' },
    },
  },
  Synced: SYNCED,
  Ready: {
    meaning:
      'Summary of the others. False with the reason of the first that fails; Trusted does not count, unless documents wait for a key with more trust.',
    reasons: {
      Ready: { status: 'True', meaning: 'The key can seal, or is Standby or Retired as asked for.' },
      Compromised: { status: 'False', meaning: 'The active key is marked as compromised: its documents wait for another key.' },
    },
  },
} as const satisfies Readonly<Record<string, ConditionMeaning>>

export type WebhookConditionType = keyof typeof WEBHOOK_CONDITIONS
export type KeyConditionType = keyof typeof KEY_CONDITIONS
export type WebhookReason<Type extends WebhookConditionType> = keyof (typeof WEBHOOK_CONDITIONS)[Type]['reasons'] & string
export type KeyReason<Type extends KeyConditionType> = keyof (typeof KEY_CONDITIONS)[Type]['reasons'] & string

/** A condition without its times. */
export interface PlainCondition<Type = string, Reason = string> {
  type: Type
  status: ConditionStatus
  reason: Reason
  message: string
}

/** A condition of a WebhookSubscription; the reason decides the status. */
export function webhookCondition<Type extends WebhookConditionType>(
  type: Type,
  reason: WebhookReason<Type>,
  message: string,
): PlainCondition<Type, WebhookReason<Type>> {
  return { type, status: statusOf(WEBHOOK_CONDITIONS[type], reason), reason, message }
}

/** A condition of a SigningKey; the reason decides the status. */
export function keyCondition<Type extends KeyConditionType>(
  type: Type,
  reason: KeyReason<Type>,
  message: string,
): PlainCondition<Type, KeyReason<Type>> {
  return { type, status: statusOf(KEY_CONDITIONS[type], reason), reason, message }
}

function statusOf({ reasons }: ConditionMeaning, reason: string): ConditionStatus {
  const known = reasons[reason]
  if (!known) throw new Error(`${reason} is not a reason of this condition.`)
  return known.status
}

/** The reasons of Events (events.k8s.io/v1). Each is recorded when a state changes, never periodically. */
export const EVENT_REASONS = {
  Accepted: { type: 'Normal', meaning: 'The product uses the specification.' },
  Refused: { type: 'Warning', meaning: 'The product does not use the specification. The note has the reason.' },
  ChangeReverted: { type: 'Warning', meaning: 'A change of a field that Postgres decides was undone.' },
  AutoDisabled: { type: 'Warning', meaning: 'The endpoint was disabled after deliveries in a row used up their retries.' },
  ReEnabled: { type: 'Normal', meaning: 'The endpoint is enabled again.' },
  Probed: { type: 'Normal', meaning: 'The probe of `spec.probe.request` was sent. The note has its result.' },
  RotationStarted: { type: 'Normal', meaning: 'A new secret is in use, or a new version of a key is announced.' },
  RotationFinished: { type: 'Normal', meaning: 'The previous secret is no longer used, or the new version of a key is.' },
  KeyLoaded: { type: 'Normal', meaning: 'Every live worker has loaded the version.' },
  KeyActivated: { type: 'Normal', meaning: 'New seals are made with the version.' },
  KeyRetired: { type: 'Normal', meaning: 'The version makes no more seals. Its seals stay valid.' },
  ExpiringSoon: { type: 'Warning', meaning: 'The certificate expires within 30 days.' },
  Conflict: { type: 'Warning', meaning: 'Object and row disagree and a person must decide.' },
} as const satisfies Readonly<Record<string, { type: 'Normal' | 'Warning'; meaning: string }>>
export type EventReason = keyof typeof EVENT_REASONS
