import { consentSentence } from '#core/envelope/ceremony/consent.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { signerStatuses } from '../support/judges/signer-statuses.ts'
import { SIGNATURE_IMAGE, signer as signerAt } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const signersOf = (id: string) => signerStatuses(service, id)
const signer = (token: string) => signerAt(service.url, token)
const closeTo = (text = ''): unknown => expect.closeTo(Number(text), 1)

describe('opening a signing link', () => {
  // requirements: service-api/ceremony/signing view, service-api/signing/open a signing link
  test('shows signer, envelope and who sent it, with links to the documents', async () => {
    const message = 'Please sign by Friday.\nThank you.'
    const { id, tokens } = await aSentEnvelope(service.client, { message })
    const { status, body, headers } = await signer(tokens[0]!.token).open()
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      alreadySigned: false,
      envelopeId: id,
      envelopeTitle: 'Garden lease',
      organisationName: 'Test organisation',
      message,
      expiresAt: tokens[0]!.expiresAt,
      requiresOtp: false,
      signerEmail: ADA.email,
      signerName: ADA.name,
      consent: {
        version: 1,
        language: 'en',
        text: expect.stringMatching(/^By choosing “Sign the document”, I, Ada Signer, sign/),
      },
      documents: [
        {
          id: expect.any(String),
          filename: 'document.pdf',
          downloadUrl: expect.stringContaining(`${service.url}/downloads/`),
          pages: 2,
          markers: [
            { page: 2, x: expect.any(Number), y: expect.any(Number), width: expect.any(Number), height: expect.any(Number) },
          ],
        },
      ],
    })
    const download = await fetch(body.documents[0].downloadUrl)
    expect([download.status, download.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(
      Buffer.from(await download.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('shows each of six signers the place that gets the seal, although the upload was not planned for so many', async () => {
    const signers = Array.from({ length: 6 }, (_, index) => ({ name: `Signer ${index}`, email: `signer${index}@example.com` }))
    const { id, tokens } = await aSentEnvelope(service.client, { signers })
    const views = await Promise.all(tokens.map(({ token }) => signer(token).open()))
    const shown = views.map(({ body }) => body.documents[0].markers.map(({ x, y }: { x: number; y: number }) => [x, y]))
    for (const { token } of tokens) await signAs(service, token)
    await service.sealEnvelopes()
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${id}/documents`)
    const sealed = Buffer.from(await (await fetch(documents[0].signedUrl)).arrayBuffer()).toString('latin1')
    const drawn = [...sealed.matchAll(/q (\S+) 0 0 \1 (\S+) (\S+) cm [^\n]*\/SealwrightSeal(\d+)(?:L\d)? Do/g)]
    const placed = tokens.map((_, form) => drawn.filter(([, , , , name]) => name === String(form)))
    expect(shown).toEqual(placed.map((own) => own.map(([, , x, y]) => [closeTo(x), closeTo(y)])))
    expect(new Set(placed.flat().map(([, , x, y]) => `${x} ${y}`)).size).toBe(6)
  })

  // requirements: decisions/links/GET has no effect
  test('has no effect, even when a mail scanner fetches it repeatedly', async () => {
    const { id, tokens } = await aSentEnvelope(service.client)
    for (let i = 0; i < 5; i++) await signer(tokens[0]!.token).open()
    expect(await signersOf(id)).toEqual(['SENT'])
    expect(await service.database.owner`select 1 from events where type = 'signer.viewed' and envelope_id = ${id}`).toHaveLength(
      0,
    )
  })

  // requirements: decisions/links/signing token, decisions/links/dead link, decisions/smaller/path
  test.each([
    ['a token of the wrong shape', 'short'],
    ['a token that cannot be read', '%E0%A4%A'],
    ['an unknown token', 'A'.repeat(43)],
  ])('answers 404 for %s and masks it in the error', async (_name, token) => {
    const { status, body } = await signer(token).open()
    expect([status, body.code, body.path]).toEqual([404, 'SIGNING_LINK_NOT_FOUND', '/api/v1/sign/***'])
  })

  // requirements: decisions/links/link life, decisions/links/dead link, decisions/envelopes/expiresAt
  test('a link expires after its own lifetime, and the last one expires the envelope', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, { linkTtlHours: 1 })
    await service.database.moveClock(3_601)
    expect((await signer(tokens[0]!.token).open()).status).toBe(404)
    const acted = await signer(tokens[0]!.token).viewOpened()
    expect([acted.status, acted.body.code]).toEqual([409, 'ENVELOPE_NOT_OPEN'])
    expect(await signersOf(id)).toEqual(['EXPIRED'])
    await service.database.moveClock(0)
  })
})

describe('sequential signing', () => {
  // requirements: decisions/links/not yet the turn
  test('the second signer has a token but no open link and no email before the first has signed', async () => {
    const { tokens } = await aSentEnvelope(service.client, { title: 'In turn', signers: [ADA, BEN], sequentialSigning: true })
    expect(tokens.map(({ expiresAt }) => expiresAt === null)).toEqual([false, true])
    await service.sendMails()
    const mails = (await service.mails.list()).filter(({ text }) => tokens.some(({ token }) => text.includes(token)))
    expect(mails.map(({ to }) => to)).toEqual([ADA.email])
    expect((await signer(tokens[1]!.token).open()).status).toBe(404)
    const { status, body } = await signer(tokens[1]!.token).viewOpened()
    expect([status, body.code]).toEqual([409, 'NOT_YOUR_TURN'])
  })
})

describe('viewing', () => {
  // requirements: service-api/signing/view opened, service-api/events/signer.viewed, decisions/links/signer.viewed, decisions/links/view-opened
  test('the first view marks the signer and records one event; a second within 30 s adds no row', async () => {
    const { id, tokens } = await aSentEnvelope(service.client)
    const ada = signer(tokens[0]!.token)
    expect((await ada.viewOpened()).status).toBe(204)
    expect((await ada.viewOpened()).status).toBe(204)
    await service.database.moveClock(31)
    expect((await ada.viewOpened()).status).toBe(204)
    await service.database.moveClock(0)
    expect(await signersOf(id)).toEqual(['VIEWED'])
    const rows = await service.database
      .owner`select action from audit_events where envelope_id = ${id} and action = 'document.opened'`
    expect(rows).toHaveLength(2)
    expect(await service.database.owner`select 1 from events where type = 'signer.viewed' and envelope_id = ${id}`).toHaveLength(
      1,
    )
  })

  // requirements: service-api/signing/view closed, decisions/links/view-closed
  test('closing completes the latest pair with its duration, and does nothing without one', async () => {
    const { id, tokens } = await aSentEnvelope(service.client)
    const ada = signer(tokens[0]!.token)
    expect((await ada.viewClosed()).status).toBe(204)
    await ada.viewOpened()
    expect((await ada.viewClosed({ durationMs: 1234 })).status).toBe(204)
    const rows = await service.database
      .owner`select detail from audit_events where envelope_id = ${id} and action = 'document.closed'`
    expect(rows.map((row) => row['detail'])).toEqual([{ durationMs: 1234 }])
  })

  // requirements: decisions/links/view-closed
  test('closing the page just after signing still completes its pair', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
    await signAs(service, tokens[0]!.token)
    expect((await signer(tokens[0]!.token).viewClosed({ durationMs: 1234 })).status).toBe(204)
    const rows = await service.database
      .owner`select detail from audit_events where envelope_id = ${id} and action = 'document.closed'`
    expect(rows.map((row) => row['detail'])).toEqual([{ durationMs: 1234 }])
    expect(await signersOf(id)).toEqual(['SIGNED', 'SENT'])
  })

  // requirements: decisions/links/view-closed
  test.each([-1, 86_400_001, 1.5, 'long'])('a duration of %s is rejected', async (durationMs) => {
    const { tokens } = await aSentEnvelope(service.client)
    expect((await signer(tokens[0]!.token).viewClosed({ durationMs })).status).toBe(400)
  })
})

describe('the consent', () => {
  // requirements: decisions/links/consent
  test.each([
    ['of the request', { language: 'de' }, 'en-GB', 'de'],
    ['preferred by Accept-Language', {}, 'fr, de-AT;q=0.9, en;q=0.5', 'de'],
    ['English by default', {}, 'fr', 'en'],
  ])('is recorded with its version and the language, %s', async (_name, input, accepted, language) => {
    const { id, tokens } = await aSentEnvelope(service.client)
    const path = `${service.url}/api/v1/sign/${tokens[0]!.token}`
    await signer(tokens[0]!.token).viewOpened()
    const headers = { 'Accept-Language': accepted, 'Content-Type': 'application/json' }
    const opened = await fetch(path, { headers: { 'Accept-Language': language } })
    const { consent } = z.looseObject({ consent: z.looseObject({ version: z.int() }) }).parse(await opened.json())
    const body = JSON.stringify({ signatureImage: SIGNATURE_IMAGE, ...input })
    expect((await fetch(`${path}/sign`, { method: 'POST', headers, body })).status).toBe(200)
    const [row] = await service.database.owner`
      select detail->'consent' as consent from audit_events where envelope_id = ${id} and action = 'signer.signed'`
    expect(row!['consent']).toEqual({ version: consent.version, language })
    expect(consent).toEqual({ version: 1, language, text: consentSentence({ version: 1, language }, ADA.name, 1) })
  })

  test('of an unknown language is rejected', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    await signer(tokens[0]!.token).viewOpened()
    expect((await signer(tokens[0]!.token).sign({ language: 'fr' })).status).toBe(400)
  })

  test('is not shown before the documents are, nor after signing', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true, signers: [ADA, BEN] })
    expect((await signer(tokens[0]!.token).open()).body.consent).toBeNull()
    const other = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
    await signAs(service, other.tokens[0]!.token)
    expect((await signer(other.tokens[0]!.token).open()).body.consent).toBeNull()
  })
})

describe('the signed copy', () => {
  // requirements: decisions/links/signed-documents
  test('is unavailable before the link was used to sign', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    const { status, body } = await signer(tokens[0]!.token).signedCopy()
    expect([status, body.code]).toEqual([404, 'SIGNED_COPY_NOT_AVAILABLE'])
  })
})

test('a draft has no signing links yet', async () => {
  const draft = await aDraft(service.client)
  expect(draft.signers[0].status).toBe('PENDING')
  expect(await service.database.owner`select 1 from signing_links where envelope_id = ${draft.id}`).toHaveLength(0)
})
