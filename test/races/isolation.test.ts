// Deadlocks, and what a reader sees of a change that commits during its read.
import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { openLink } from '#core/envelope/ceremony/open-link.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { inOrder, untilWaiting } from '../support/invariants/races/arrange.ts'
import { assertSound, lockRow } from '../support/invariants/races/rounds.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test('a deadlock answers 503 with a retry time, nothing is done, and the same call then succeeds', async () => {
  const { client, database } = world.service
  const { id } = await aSentEnvelope(client)
  const cancel = () => client.post(`/api/v1/envelopes/${id}/cancel`)
  const crossed = await database.owner.begin(async (sql) => {
    await sql`set local deadlock_timeout = '10min'` // so that the other side is the one to give way
    await sql`select from organisations where id = ${world.caller.orgId} for update`
    // The cancellation has locked the envelope and waits for the organisation's counter; we have the counter and wait for the envelope.
    const cancelling = cancel()
    await untilWaiting(database.owner, () => 1)
    await lockRow(sql, id)
    return cancelling
  })
  expect([crossed.status, crossed.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(Number(crossed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await client.get(`/api/v1/envelopes/${id}`)).body.status).toBe('SENT')
  await assertSound(world, [id])
  expect((await cancel()).status).toBe(204)
  await assertSound(world, [id])
})

describe('a reader in the middle of a commit', () => {
  /** Holds the signers' table while the envelope and its signer change in one transaction; the reader has begun before. */
  async function readDuringSignature<Seen>(id: string, read: () => Promise<Seen>): Promise<Seen> {
    let seen: Seen | undefined
    let holder: Sql | undefined
    const lock = (sql: Sql) => (holder = sql)`lock table signers in access exclusive mode`
    const change = async () => {
      await holder!`update envelopes set status = 'CANCELLED', ended_at = now() where id = ${id}`
      await holder!`update signers set status = 'CANCELLED' where envelope_id = ${id}`
      await holder!`update signing_links set revoked_at = now() where envelope_id = ${id}`
    }
    await inOrder(world.service.database, lock, [async () => (seen = await read()), change])
    return seen!
  }

  test('sees envelope and signers of one moment', async () => {
    const { id } = await world.sent()
    const seen = await readDuringSignature(id, () => getEnvelope(world.core, world.caller, id))
    // Either before or after the change, but the same for both.
    expect([
      { status: 'SENT', signers: [{ status: 'SENT' }] },
      { status: 'CANCELLED', signers: [{ status: 'CANCELLED' }] },
    ]).toContainEqual({ status: seen.status, signers: [{ status: seen.signers[0]?.status }] })
    expect(await getEnvelope(world.core, world.caller, id)).toMatchObject({
      status: 'CANCELLED',
      signers: [{ status: 'CANCELLED' }],
    })
  })

  test('sees envelope and link of one moment', async () => {
    const { id, tokens } = await world.sent()
    const seen = await readDuringSignature(id, () => openLink(world.core, tokens[0]!.token, 'en'))
    expect(seen).toMatchObject({ alreadySigned: false, requiresOtp: false })
  })
})
