// The counts that are kept with every change of an envelope against a recount of all of them, with concurrent changes of all kinds.
import { randomUUID } from 'node:crypto'
import type { CredentialCaller } from '#core/context.ts'
import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '#core/envelope/rules.ts'
import { CredentialId, newId, OrgId, WorkspaceId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const [orgId, credentialId] = [newId(OrgId), newId(CredentialId)]
const caller: CredentialCaller = {
  kind: 'credential',
  orgId,
  credentialId,
  clientId: 'x',
  origin: { address: null, userAgent: null },
}
const ENDED: readonly EnvelopeStatus[] = ['COMPLETED', 'CANCELLED', 'EXPIRED']

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const { owner } = database
  await owner`insert into organisations (id, name) values (${orgId}, 'x')`
  await owner`insert into credentials (org_id, id, client_id, name) values (${orgId}, ${credentialId}, 'x', 'x')`
})
afterAll(() => database[Symbol.asyncDispose]())

async function newWorkspaces(count: number): Promise<WorkspaceId[]> {
  const ids = Array.from({ length: count }, () => newId(WorkspaceId))
  for (const id of ids) {
    await database.owner`insert into workspaces (org_id, id, name) values (${orgId}, ${id}, ${id})`
    await database.owner`insert into credential_grants values (${orgId}, ${credentialId}, ${id}, '{envelope:read}')`
  }
  return ids
}

const add = (sql: Sql, id: string, workspaceId: WorkspaceId) => sql`
  insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
  values (${orgId}, ${id}, ${workspaceId}, 'x', false, false, 60)`
const setStatus = (sql: Sql, id: string, status: EnvelopeStatus) => sql`
  update envelopes set status = ${status}, drops_at = null, ended_at = ${ENDED.includes(status) ? new Date() : null} where id = ${id}`
/** When it lapses and when it is dropped, in hours from now. */
const setTimes = (sql: Sql, id: string, [lapses, drops]: readonly [number | null, number | null]) => sql`
  update envelopes
  set lapses_at = now() + make_interval(hours => ${lapses}::int), drops_at = case when status = 'DRAFT' then now() + make_interval(hours => ${drops}::int) end
  where id = ${id}`
const move = (sql: Sql, id: string, workspaceId: WorkspaceId) =>
  sql`update envelopes set workspace_id = ${workspaceId} where id = ${id}`

interface Step {
  kind: 'add' | 'status' | 'times' | 'move' | 'remove'
  /** Which of the session's envelopes. */
  which: number
  workspace: number
  status: EnvelopeStatus
  times: readonly [number | null, number | null]
  /** Taken back at once, by its savepoint. */
  undone: boolean
}

const oneInFour = fc.constantFrom(true, false, false, false)
const hours = fc.constantFrom(null, -2, -1, 1)
const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'status', 'status', 'status', 'times', 'move', 'remove'),
  which: fc.nat(2),
  workspace: fc.nat(2),
  status: fc.constantFrom(...ENVELOPE_STATUSES),
  times: fc.tuple(hours, hours),
  undone: oneInFour,
})
/** The transactions of one session, one after another. */
const aHistory = fc.array(fc.record({ steps: fc.array(aStep, { minLength: 2, maxLength: 8 }), takenBack: oneInFour }), {
  minLength: 2,
  maxLength: 6,
})

function carryOut(sql: Sql, step: Step, ids: readonly string[], workspaces: readonly WorkspaceId[]) {
  const [id, workspaceId] = [ids[step.which]!, workspaces[step.workspace]!]
  if (step.kind === 'add') return sql`${add(sql, id, workspaceId)} on conflict do nothing`
  if (step.kind === 'status') return setStatus(sql, id, step.status)
  if (step.kind === 'times') return setTimes(sql, id, step.times)
  if (step.kind === 'move') return move(sql, id, workspaceId)
  return sql`delete from envelopes where id = ${id}`
}

/** Its envelopes are its own: sessions meet nowhere but in the workspaces. */
async function play(history: { steps: Step[]; takenBack: boolean }[], workspaces: readonly WorkspaceId[]): Promise<void> {
  const ids = Array.from({ length: 3 }, () => randomUUID())
  for (const [index, id] of ids.entries()) await add(database.owner, id, workspaces[index]!)
  for (const { steps, takenBack } of history) {
    const transaction = database.owner.begin(async (sql) => {
      for (const step of steps) {
        const savepoint = sql.savepoint(async (inner) => {
          await carryOut(inner, step, ids, workspaces)
          if (step.undone) throw new Undone()
        })
        await savepoint.catch(throwUnlessUndone)
      }
      if (takenBack) throw new Undone()
    })
    await transaction.catch(throwUnlessUndone)
  }
}

class Undone extends Error {}

function throwUnlessUndone(error: unknown): void {
  if (!(error instanceof Undone)) throw error
}

async function assertCounted(workspaces: readonly WorkspaceId[]): Promise<void> {
  const wanted = await inOrganisation(
    database.api,
    orgId,
    (sql) => sql<{ workspaceId: WorkspaceId; status: EnvelopeStatus; count: number }[]>`
      select workspace_id, shown_status(status, lapses_at) as status, count(*)::int from envelopes group by 1, 2`,
  )
  for (const workspaceId of workspaces) {
    const { total, ...counts } = await countEnvelopes({ database: database.api }, caller, workspaceId)
    const rows = wanted.filter((row) => row.workspaceId === workspaceId)
    expect(counts).toEqual(
      Object.fromEntries(ENVELOPE_STATUSES.map((status) => [status, rows.find((row) => row.status === status)?.count ?? 0])),
    )
    expect(total).toBe(rows.reduce((sum, { count }) => sum + count, 0))
  }
}

const countRows = async (workspaceId: WorkspaceId) =>
  (await database.owner`select from envelope_counts where workspace_id = ${workspaceId}`).length

test('whatever sessions do side by side and take back, the counts are those of a recount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aHistory, { minLength: 2, maxLength: 6 }), async (histories) => {
      const workspaces = await newWorkspaces(3)
      await Promise.all(histories.map((history) => play(history, workspaces)))
      await assertCounted(workspaces)
      // Who looks for a free row while others come and go may find none although there is one, but not time and again.
      for (const workspace of workspaces) expect(await countRows(workspace)).toBeLessThanOrEqual(2 * histories.length)
    }),
    { numRuns: runs(12), endOnFailure: true },
  )
})

test('changes in two workspaces, in opposite orders, wait neither for each other nor for ever', async () => {
  const [first, second] = await newWorkspaces(2)
  const { owner } = database
  for (const workspace of [first!, second!]) await add(owner, randomUUID(), workspace)
  const [left, right] = [await owner.reserve(), await owner.reserve()]
  try {
    for (const sql of [left, right]) await sql.unsafe("begin; set local lock_timeout = '2s'")
    await add(left, randomUUID(), first!)
    await add(right, randomUUID(), second!)
    await add(left, randomUUID(), second!)
    await add(right, randomUUID(), first!)
    await left`rollback`
    await right`commit`
  } finally {
    left.release()
    right.release()
  }
  await assertCounted([first!, second!])
})

test('changes one after another use one row', async () => {
  const [workspaceId] = await newWorkspaces(1)
  for (let round = 0; round < 20; round++) await add(database.owner, randomUUID(), workspaceId!)
  await assertCounted([workspaceId!])
  expect(await countRows(workspaceId!)).toBe(1)
})

test('a change of anything but status and place writes no counts', async () => {
  const [workspaceId] = await newWorkspaces(1)
  const id = randomUUID()
  await add(database.owner, id, workspaceId!)
  const version = () => database.owner`select xmin::text, ctid::text from envelope_counts where workspace_id = ${workspaceId!}`
  const before = await version()
  await setTimes(database.owner, id, [1, 1])
  await database.owner`update envelopes set status = status, title = 'y' where id = ${id}`
  expect(await version()).toEqual(before)
})

test('a workspace that goes takes its counts along', async () => {
  const [workspaceId] = await newWorkspaces(1)
  const id = randomUUID()
  await add(database.owner, id, workspaceId!)
  await database.owner`delete from envelopes where id = ${id}`
  expect(await countRows(workspaceId!)).toBe(1)
  await database.owner`delete from workspaces where id = ${workspaceId!}`
  expect(await countRows(workspaceId!)).toBe(0)
})

test('only changes of envelopes can write counts, and no organisation sees those of others', async () => {
  const [workspaceId] = await newWorkspaces(1)
  await add(database.owner, randomUUID(), workspaceId!)
  for (const role of [database.api, database.system]) {
    await expect(role`update envelope_counts set draft = 0`).rejects.toThrow('permission denied')
    await expect(role`select add_to_envelope_counts(${orgId}, ${workspaceId!}, 'DRAFT', null)`).rejects.toThrow(
      'permission denied',
    )
  }
  const seenBy = (org: OrgId, table: string) =>
    inOrganisation(database.api, org, async (sql) => (await sql`select from ${sql(table)}`).length > 0)
  for (const table of ['envelope_counts', 'shown_envelope_counts']) {
    expect([await seenBy(orgId, table), await seenBy(newId(OrgId), table)]).toEqual([true, false])
    expect(await database.api`select from ${database.api(table)}`).toHaveLength(0)
  }
})
