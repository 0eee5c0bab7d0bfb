// The roles that a worker process can have, and how each is started.
import type { Bell } from '#core/bell/bell.ts'
import type { SystemCore } from '#core/context.ts'
import { openTransport } from '#core/mail/open-transport.ts'
import type { ProcessSettings } from '#core/open-core.ts'
import { helpful } from '#core/process/checks.ts'
import { UsageError } from '#core/process/run-process.ts'
import { databaseNow } from '#core/postgres/now.ts'
import { openSealingPool } from '#core/seal/sealing-pool.ts'
import { openSigningKey } from '#core/seal/open-signing-key.ts'
import { registerSigningKey } from '#core/seal/register-signing-key.ts'
import { cpuLimit } from '#core/threads/cpu-limit.ts'
import { startMail } from './mail/start-mail.ts'
import type { Loop } from './runtime/loop.ts'
import { startRelay } from './relay/start-relay.ts'
import { startSeal } from './seal/start-seal.ts'

/** Most of a seal's time is spent on the way to an object store and back. */
const SEALS_PER_THREAD = 4

export interface RoleInput {
  core: SystemCore
  bell: Bell
  settings: ProcessSettings
}

export interface NamedRole {
  name: string
  start: (input: RoleInput) => Promise<Loop>
}

const ROLES: readonly NamedRole[] = [
  { name: 'relay', start: ({ core, bell }) => startRelay(core, bell) },
  { name: 'mail', start: startMailRole },
  { name: 'seal', start: startSealRole },
]

/** The roles of these names, in the order in which they start. Throws UsageError. */
export function readRoles(names: readonly string[]): NamedRole[] {
  const known = ROLES.map(({ name }) => name).join(', ')
  const unknown = names.filter((name) => ROLES.every((role) => role.name !== name))
  if (unknown.length > 0) throw new UsageError(`Unknown role ${unknown.join(', ')}. The roles are ${known}.`)
  if (names.length === 0) throw new UsageError(`Usage: node workers/main.ts ROLE...   The roles are ${known}.`)
  return ROLES.filter(({ name }) => names.includes(name))
}

async function startMailRole({ core, bell, settings }: RoleInput): Promise<Loop> {
  await using stack = new AsyncDisposableStack()
  const mail = stack.use(await openTransport(settings, core.log))
  core.log.info({ part: mail.line }, 'mail.opened')
  return { ...withStack(stack, startMail(core, bell, mail.transport)), checks: { smtp: helpful(mail.check) } }
}

async function startSealRole({ core, bell, settings }: RoleInput): Promise<Loop> {
  await using stack = new AsyncDisposableStack()
  const { key, origin, line } = await openSigningKey(settings, await databaseNow(core.database))
  core.log.info({ part: line }, 'signing_key.opened')
  await registerSigningKey(core, key, origin)
  const threads = settings.sealThreads ?? (await cpuLimit())
  const sealing = openSealingPool({ threads, key, limitSeconds: settings.sealTimeoutSeconds })
  stack.defer(() => sealing.close())
  return withStack(stack, startSeal(core, bell, sealing, threads * SEALS_PER_THREAD))
}

/** The loop, whose end also closes what it worked with. */
function withStack(stack: AsyncDisposableStack, loop: Loop): Loop {
  stack.use(loop)
  const running = stack.move()
  return { busyForMs: loop.busyForMs, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
