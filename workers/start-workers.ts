// The worker tier, built from dependencies that the caller opened: its roles under one supervisor.
import type { StorelessCore } from '#core/context.ts'
import { databaseChecks } from '#core/installation/health-checks.ts'
import type { ProcessSettings } from '#core/installation/open-core.ts'
import type { OpenedNotifier } from '#core/messaging/open-notifier.ts'
import { type Checks, optional, required } from '#core/platform/process/health-checks.ts'
import { measureKeys } from '#core/signing-key/measure-keys.ts'
import { measureWebhooks } from '#core/webhook/measure-webhooks.ts'
import { measureQueues } from '#core/work/measure-queues.ts'
import { WORK_KINDS } from '#core/work-kinds.ts'
import type { NamedRole, Opening, StartRole } from './roles.ts'
import { superviseRoles } from './runtime/supervisor.ts'

export interface OpenedRole {
  name: string
  start: StartRole
}

/** Opens what the roles need besides the database, concurrently; closed with the stack. */
export async function openRoles(roles: readonly NamedRole[], opening: Opening): Promise<OpenedRole[]> {
  return Promise.all(roles.map(async ({ name, open }) => ({ name, start: await open(opening) })))
}

export interface WorkersParts {
  /** Needs a database of the system role. */
  core: StorelessCore
  notifier: OpenedNotifier
  settings: ProcessSettings
  roles: readonly OpenedRole[]
  /** The most time for running jobs after a stop; absent: as long as each role needs. */
  finishWithinMs?: number
}

export interface RunningWorkers extends AsyncDisposable {
  /** The checks of `/readyz` and `/livez`. */
  ready: () => Checks
  alive: Checks
  /** The dependencies that the roles opened, one line each. */
  lines: () => string[]
  /** Sets the gauges of the queues and webhooks. */
  measure: () => Promise<void>
  /** Resolves when every role has started. */
  started: Promise<void>
  /** Rejects when a role can never start or continue; never resolves. */
  failed: Promise<never>
}

/** Starts the roles in the background and retries failed starts; disposing lets running jobs finish for a while and releases the other leases. */
export function startWorkers({ core, notifier, settings, roles, finishWithinMs }: WorkersParts): RunningWorkers {
  const input = { core, notifier: notifier.notifier, settings }
  const supervisor = superviseRoles(
    roles.map(({ name, start }) => ({ name, start: (signal: AbortSignal) => start({ ...input, signal }) })),
    core.log,
    finishWithinMs,
  )
  return {
    ready: () => ({
      ...databaseChecks(core, { changes: required }),
      nats: optional(notifier.check),
      ...supervisor.ready(),
    }),
    alive: supervisor.alive,
    lines: () => supervisor.lines(),
    measure: async () => void (await Promise.all([measureQueues(core, WORK_KINDS), measureWebhooks(core), measureKeys(core)])),
    started: supervisor.started,
    failed: supervisor.failed,
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  }
}
