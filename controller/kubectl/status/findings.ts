// What needs attention. Pure.
import { z } from 'zod'
import { CommandError } from '../command-error.ts'
import { conditionOf, isObserved, type WithConditions } from '../condition-of.ts'
import type { ClusterState, Lease } from './cluster-state.ts'

export interface Finding {
  /** Absent for the controller itself. */
  object?: string
  reason: string
  message: string
}

export interface Findings {
  leader: { holder: string; renewedAt: string | null } | null
  outboxAgeSeconds: number | null
  controller: Finding[]
  unhealthyWebhooks: Finding[]
  expiringKeys: Finding[]
  unreadyKeys: Finding[]
  orphans: Finding[]
}

/** The alert on the outbox begins at the same age. */
const OUTBOX_LATE_SECONDS = 300
/** The clock of this machine may differ from the controller's. */
const CLOCK_TOLERANCE_MS = 30_000
const DEFAULT_LEASE_SECONDS = 15
/** A new object is reconciled within seconds. */
const UNSEEN_AFTER_MS = 60_000

const Problems = z.array(z.string())
const Orphans = z.array(z.looseObject({ id: z.string(), name: z.string().optional(), namespace: z.string().optional() }))

/** Everything that a person should look at, from what was read at `now`. */
export function findingsOf(state: ClusterState, now: Date): Findings {
  const { lease, report, webhooks, keys } = state
  const age = Number(report?.['outboxAgeSeconds'] ?? Number.NaN)
  const outboxAgeSeconds = Number.isFinite(age) ? age : null
  const leader = leaderOf(lease, now)
  return {
    leader,
    outboxAgeSeconds,
    controller: controllerFindings(state, leader !== null, outboxAgeSeconds),
    unhealthyWebhooks: webhooks.flatMap((each) => unready(each, now)),
    expiringKeys: keys.flatMap(expiring),
    unreadyKeys: keys.flatMap((each) => unready(each, now)),
    orphans: readList(report, 'orphans', Orphans).map(orphanFinding),
  }
}

/** True if nothing needs attention. */
export function isAllWell({ controller, unhealthyWebhooks, expiringKeys, unreadyKeys, orphans }: Findings): boolean {
  return [controller, unhealthyWebhooks, expiringKeys, unreadyKeys, orphans].every((list) => list.length === 0)
}

function leaderOf(lease: Lease | undefined, now: Date): Findings['leader'] {
  const { holderIdentity, renewTime, leaseDurationSeconds = DEFAULT_LEASE_SECONDS } = lease?.spec ?? {}
  if (!holderIdentity) return null
  const validUntil = Date.parse(renewTime ?? '') + leaseDurationSeconds * 1_000 + CLOCK_TOLERANCE_MS
  return validUntil >= now.getTime() ? { holder: holderIdentity, renewedAt: renewTime ?? null } : null
}

function controllerFindings({ report }: ClusterState, hasLeader: boolean, outboxAge: number | null): Finding[] {
  return [
    ...(hasLeader
      ? []
      : [
          {
            reason: 'NoLeader',
            message: 'No controller leads: nothing is mirrored. Check that its pods run and reach the API server.',
          },
        ]),
    ...(report
      ? []
      : [
          {
            reason: 'NoReport',
            message: 'No controller has written the ConfigMap sealwright-status yet: outbox and orphans are unknown.',
          },
        ]),
    ...(outboxAge !== null && outboxAge >= OUTBOX_LATE_SECONDS
      ? [
          {
            reason: 'OutboxLate',
            message: `The oldest change has waited for ${outboxAge} s to be mirrored. Check the log of the leader.`,
          },
        ]
      : []),
    ...readList(report, 'problems', Problems).map((message) => ({ reason: 'Problem', message })),
  ]
}

function unready(object: WithConditions & { metadata: { creationTimestamp?: string } }, now: Date): Finding[] {
  const { name, creationTimestamp = '' } = object.metadata
  const ready = conditionOf(object, 'Ready')
  if (ready && ready.status !== 'True') return [{ object: name, reason: ready.reason, message: ready.message }]
  const isNew = now.getTime() - Date.parse(creationTimestamp) < UNSEEN_AFTER_MS
  if ((ready && isObserved(object)) || isNew) return []
  return [{ object: name, reason: 'NotReconciled', message: 'The controller has not seen this specification yet.' }]
}

function expiring(key: WithConditions): Finding[] {
  const { reason, message } = conditionOf(key, 'CertificateValid') ?? {}
  if (reason !== 'ExpiringSoon' && reason !== 'Expired') return []
  return [{ object: key.metadata.name, reason, message: message ?? '' }]
}

/** A list in the ConfigMap. Throws CommandError if it is none: then plugin and controller are of different versions. */
function readList<T>(report: ClusterState['report'], key: string, list: z.ZodType<T[]>): T[] {
  const text = report?.[key]
  if (text === undefined) return []
  const parsed = list.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new CommandError(
    `The list ${key} in the ConfigMap sealwright-status cannot be read. Use the plugin of the installed version.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function orphanFinding({ id, name, namespace }: z.output<typeof Orphans>[number]): Finding {
  const object = [namespace, name].filter(Boolean).join('/') || id
  return {
    object,
    reason: 'Orphaned',
    message: `Its object disappeared without a deletion; ${id} goes on. Create the object again and run kubectl sealwright adopt, or delete it.`,
  }
}
