// Sending freezes a draft: a concurrent change is in the frozen envelope, or refused.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { attachNewDocument } from '#core/envelope/document/attach-new-document.ts'
import { discardUpload } from '#core/envelope/document/discard-upload.ts'
import { storeUpload } from '#core/envelope/document/store-upload.ts'
import { addSigner } from '#core/envelope/add-signer.ts'
import { createEnvelope } from '#core/envelope/create-envelope.ts'
import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { anUploadRow } from '../support/builders/rows.ts'
import { freely, inOrder, type Outcome, outcomeOf } from '../support/invariants/races/arrange.ts'
import { expectEither, MANY, playRounds, race, SIDE_BY_SIDE, SOME } from '../support/invariants/races/rounds.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'

let world: World
let folder: string

beforeAll(async () => {
  world = await raceWorld()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-races-'))
  await writeFile(path.join(folder, 'document.pdf'), '%PDF-1.7')
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const send = (id: EnvelopeId) => sendEnvelope(world.core, world.caller, id)
const drop = (id: EnvelopeId) => deleteDraft(world.core, world.caller, id)
const add = (id: EnvelopeId, signOrder?: number) => addSigner(world.core, world.caller, id, { ...BEN, signOrder })

async function attach(id: EnvelopeId) {
  const sha256 = createHash('sha256').update('%PDF-1.7').digest()
  const file = { path: path.join(folder, 'document.pdf'), filename: 'document.pdf', sizeBytes: 8, sha256 }
  const upload = await storeUpload(world.core, world.caller, file)
  return attachNewDocument(world.core, world.caller, id, upload).catch(async (error: unknown) => {
    await discardUpload(world.core, world.caller.orgId, upload)
    throw error
  })
}

describe('send', () => {
  test('twice: one sends, each signer has one link and one email', async () => {
    const tally = await race(world, MANY, async () => {
      const id = await world.draft({ signers: [ADA, BEN] })
      return { id, first: () => send(id), second: () => send(id) }
    })
    expectEither(tally, 'done, ENVELOPE_ALREADY_SENT', 'ENVELOPE_ALREADY_SENT, done')
  })

  test('against attach: the document is frozen with the rest, or refused and not stored', async () => {
    const tally = await race(world, MANY, async () => {
      const id = await world.draft()
      return { id, first: () => attach(id), second: () => send(id) }
    })
    expectEither(tally, 'done, done', 'ENVELOPE_NOT_DRAFT, done')
    const { owner } = world.service.database
    expect(await owner`select 1 from documents where envelope_id is null`).toHaveLength(0)
  })

  test('against add signer: the signer is frozen with the rest, or refused', async () => {
    const tally = await race(world, MANY, async () => {
      const id = await world.draft()
      return { id, first: () => add(id), second: () => send(id) }
    })
    expectEither(tally, 'done, done', 'ENVELOPE_NOT_DRAFT, done')
  })

  test('against delete: the envelope is gone, or sent', async () => {
    const tally = await race(world, MANY, async () => {
      const id = await world.draft()
      return { id, first: () => drop(id), second: () => send(id) }
    })
    expectEither(tally, 'done, ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_DRAFT, done')
  })
})

describe('delete', () => {
  test('against attach: an attached document is deleted with the draft, a later one is not stored', async () => {
    const tally = await race(world, SOME, async () => {
      const id = await world.draft()
      return { id, first: () => drop(id), second: () => attach(id) }
    })
    expectEither(tally, 'done, ENVELOPE_NOT_FOUND', 'done, done')
    const { owner } = world.service.database
    expect(await owner`select 1 from documents where envelope_id is null`).toHaveLength(0)
  })

  test('twice: it is deleted once, and its storage freed once', async () => {
    const tally = await race(world, SOME, async () => {
      const id = await world.draft()
      return { id, first: () => drop(id), second: () => drop(id) }
    })
    expectEither(tally, 'done, ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_FOUND, done')
  })
})

describe('add signer twice', () => {
  test('with one order: one has it', async () => {
    const tally = await race(world, MANY, async () => {
      const id = await world.draft()
      return { id, first: () => add(id, 2), second: () => add(id, 2) }
    })
    expectEither(tally, 'done, DUPLICATE_SIGN_ORDER', 'DUPLICATE_SIGN_ORDER, done')
  })

  test('without an order: each gets its own', async () => {
    const tally = await race(world, SOME, async () => {
      const id = await world.draft()
      return { id, first: () => add(id), second: () => add(id) }
    })
    expectEither(tally, 'done, done', 'done, done')
  })

  test('for the last free place: one is the fiftieth', async () => {
    const signers = Array.from({ length: 49 }, () => ADA)
    const tally = await race(world, 30, async () => {
      const id = await world.draft({ signers })
      return { id, first: () => add(id), second: () => add(id) }
    })
    expectEither(tally, 'done, TOO_MANY_SIGNERS', 'TOO_MANY_SIGNERS, done')
  })
})

describe('one upload into two envelopes', () => {
  const upload = () => anUploadRow(world.service.database.system, world.organisation)
  const create = (documentIds: readonly DocumentId[]) =>
    createEnvelope(world.core, world.caller, {
      title: 'Lease',
      signers: [ADA],
      otpRequired: false,
      sequentialSigning: false,
      labels: [],
      documentIds,
    })

  test('is attached to one of them; the other is not created', async () => {
    const seen: Outcome[] = []
    const { database } = world.service
    const play = async (id: DocumentId, round: number) => {
      const lock = (sql: Sql) => sql`select from documents where id = ${id} for update`
      const both = [() => create([id]), () => create([id])] as const
      const outcomes = round % 2 ? await freely(database, both, round % 10) : await inOrder(database, lock, both)
      seen.push(outcomes.toSorted().join(', '))
      const [row] = await database.owner`select envelope_id from documents where id = ${id}`
      return [row!['envelopeId'] as string]
    }
    await playRounds(world, { rounds: MANY, atOnce: SIDE_BY_SIDE, prepare: upload, play })
    expect(new Set(seen)).toEqual(new Set(['DOCUMENT_ALREADY_ATTACHED, done']))
  })

  test('with another, named in the other order: no deadlock', async () => {
    for (let round = 0; round < 50; round++) {
      const [one, other] = [await upload(), await upload()]
      const outcomes = await Promise.all(
        [
          [one, other],
          [other, one],
          [one, other],
        ].map((ids) => outcomeOf(() => create(ids))),
      )
      expect(outcomes.toSorted()).toEqual(['DOCUMENT_ALREADY_ATTACHED', 'DOCUMENT_ALREADY_ATTACHED', 'done'])
    }
  })
})
