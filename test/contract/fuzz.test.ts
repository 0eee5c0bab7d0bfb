import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signedIn } from '../support/clients/panel-client.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { runs } from '../support/builders/properties.ts'
import { fuzz } from '../support/judges/schemathesis/run.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

/** Per operation of the API, a third as many per operation of the panel; more on demand, FUZZ_EXAMPLES=200. */
const EXAMPLES = runs(10)

let service: TestService

beforeAll(async () => {
  // A minute of fuzzing would otherwise use up an organisation's daily quota.
  service = await testService({ SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY: '0', SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '0' })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Internal errors with their causes. */
async function faults(): Promise<string> {
  const lines = (await service.readLog()).split('\n')
  return lines.filter((line) => line.includes('request.failed')).join('\n')
}

test('schemathesis finds no undescribed response of the API', async () => {
  const { client } = service
  const draft = async () => ({ id: (await aDraft(client)).id })
  const link = async (overrides: object = {}) => {
    const { tokens } = await aSentEnvelope(client, { signers: [ADA, BEN], ...overrides })
    return { token: tokens[0]!.token }
  }
  const withCode = await link({ otpRequired: true })
  const completed = await aSignedEnvelope(service)
  const found = await fuzz({
    url: `${service.url}/openapi.json`,
    credentials: { accessToken: { bearer: client.token } },
    known: {
      getEnvelope: await draft(),
      addSigner: await draft(),
      uploadEnvelopeDocument: await draft(),
      sendEnvelope: await draft(),
      deleteDraft: await draft(),
      cancelEnvelope: { id: (await aSentEnvelope(client)).id },
      listEnvelopeDocuments: { id: completed.id },
      openSigningLink: await link(),
      requestOtp: withCode,
      verifyOtp: withCode,
      recordViewOpened: await link(),
      recordViewClosed: await link(),
      sign: await link(),
      getSignedCopy: { token: completed.tokens[0]!.token },
    },
    except: [],
    examples: EXAMPLES,
  })
  expect(found + (await faults())).toBe('')
})

test('nor of the panel', async () => {
  const admin = await signedIn(service)
  const cookie = admin.cookies.get('sealwright-session')!
  const another = { id: (await signedIn(service)).person.personId }
  const found = await fuzz({
    url: `${service.url}/settings/api/openapi.json`,
    credentials: { session: { api_key: cookie }, csrfToken: { api_key: admin.csrfToken } },
    // An admin without the role, the session or the password could not continue.
    known: { updatePerson: another, removePerson: another },
    except: ['deleteSession', 'changePassword'],
    examples: Math.ceil(EXAMPLES / 3),
  })
  expect(found + (await faults())).toBe('')
})
