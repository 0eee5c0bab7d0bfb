// The commands of `kubectl sealwright` that ask the controller for something. The test writes what the controller would write.
import { beforeAll, describe, expect, test } from 'vitest'
import { SIGNING_KEYS, type SigningKeyObject } from '../../controller/signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import { keySpec, webhookSpec } from '../support/builders/custom-resources.ts'
import { condition, openPlugin } from '../support/clients/kubectl-plugin.ts'

const { namespace, plugin, create, read, patch, answered } = await openPlugin()

const readWebhook = (name: string) => read<WebhookSubscription>(WEBHOOK_SUBSCRIPTIONS, name)
const readKey = (name: string) => read<SigningKeyObject>(SIGNING_KEYS, name)

beforeAll(async () => {
  await create(WEBHOOK_SUBSCRIPTIONS, 'billing', { spec: webhookSpec({ url: 'https://hooks.example.com/T0/very-private' }) })
  await create(SIGNING_KEYS, 'seal', { spec: keySpec({ state: 'Active' }) })
})

describe('webhook', () => {
  test('suspend and resume change spec.suspend, and say when nothing had to change', async () => {
    expect(await plugin('webhook', 'suspend', 'billing')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('spec.suspend is true'),
    })
    expect((await readWebhook('billing')).spec.suspend).toBe(true)
    expect((await plugin('webhook', 'suspend', 'billing')).stdout).toBe('billing: spec.suspend was true already.\n')
    expect((await plugin('webhook', 'resume', 'billing', '--json')).stdout).toBe(
      `${JSON.stringify({ kind: 'WebhookSubscription', namespace, name: 'billing', field: 'spec.suspend', changed: true })}\n`,
    )
    expect((await readWebhook('billing')).spec.suspend).toBe(false)
  })

  test('only the field of the command changes', async () => {
    const before = await readWebhook('billing')
    await plugin('webhook', 'probe', 'billing')
    const { spec, metadata } = await readWebhook('billing')
    expect({ ...spec, probe: undefined }).toEqual({ ...before.spec, probe: undefined })
    expect(metadata.generation).toBe((before.metadata.generation ?? 0) + 1)
  })

  test('suspend --wait ends when the controller says so', async () => {
    const result = await answered<WebhookSubscription>(['webhook', 'suspend', 'billing'], {
      resource: WEBHOOK_SUBSCRIPTIONS,
      name: 'billing',
      isAsked: ({ spec }) => spec.suspend === true,
      answer: () => ({ conditions: [condition('Suspended', 'True', 'BySpec')] }),
    })
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('billing: suspended\n') })
  })

  test('resume --wait says that an administrator has it switched off', async () => {
    const result = await answered<WebhookSubscription>(['webhook', 'resume', 'billing'], {
      resource: WEBHOOK_SUBSCRIPTIONS,
      name: 'billing',
      isAsked: ({ spec }) => spec.suspend === false,
      answer: () => ({ conditions: [condition('Suspended', 'True', 'ByAdmin')] }),
    })
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('still suspended: Suspended is True (ByAdmin)') })
  })

  test.each([
    ['accepted', '2026-01-01T00:00:00Z', 0, 'the endpoint accepted the test event'],
    ['not accepted', '2026-01-02T00:00:00Z', 1, 'the endpoint did not accept the test event: It answered 500.'],
  ])('probe --wait says whether the event was %s', async (_, failedAt, code, line) => {
    const earlier = (await readWebhook('billing')).spec.probe?.request
    const result = await answered<WebhookSubscription>(['webhook', 'probe', 'billing'], {
      resource: WEBHOOK_SUBSCRIPTIONS,
      name: 'billing',
      isAsked: ({ spec }) => spec.probe?.request !== earlier,
      answer: ({ spec }) => ({
        health: {
          consecutiveExhausted: 0,
          lastProbeTime: '2026-01-02T00:00:00Z',
          lastProbeRequest: spec.probe?.request,
          lastFailure: { time: failedAt, reason: 'It answered 500.' },
        },
      }),
    })
    expect(result).toMatchObject({ code, stdout: expect.stringContaining(line) })
  })

  test('rotate --wait says where the secret is and until when the previous one is valid', async () => {
    const result = await answered<WebhookSubscription>(['webhook', 'rotate', 'billing'], {
      resource: WEBHOOK_SUBSCRIPTIONS,
      name: 'billing',
      isAsked: ({ spec }) => spec.rotation?.request !== undefined,
      answer: ({ spec }) => ({
        secret: {
          revision: 2,
          handledRequest: spec.rotation?.request,
          secretName: 'billing-secret',
          previousValidUntil: '2026-01-03T00:00:00Z',
        },
      }),
    })
    expect(result.code).toBe(0)
    expect(result.stdout).toContain(
      'signing secret 2 is in the Secret billing-secret; the previous one is valid until 2026-01-03T00:00:00Z',
    )
  })

  test('what is not done in time is said with the reason, and fails', async () => {
    await patch(
      WEBHOOK_SUBSCRIPTIONS,
      'billing',
      { status: { conditions: [condition('Ready', 'False', 'LimitExceeded')] } },
      'status',
    )
    const result = await plugin('webhook', 'probe', 'billing', '--wait', '--timeout', '1', '--json')
    expect(result.code).toBe(1)
    expect(JSON.parse(result.stdout)).toMatchObject({
      changed: true,
      done: false,
      message: 'not done after 1 s; Ready is False (LimitExceeded): LimitExceeded it is.',
    })
  })
})

describe('key', () => {
  test('rotate --wait names the new version', async () => {
    await patch(SIGNING_KEYS, 'seal', { status: { active: { version: 1 } } }, 'status')
    const result = await answered<SigningKeyObject>(['key', 'rotate', 'seal'], {
      resource: SIGNING_KEYS,
      name: 'seal',
      isAsked: ({ spec }) => spec.rotation?.request !== undefined,
      answer: ({ spec }) => ({ handledRequest: spec.rotation?.request, active: { version: 2 } }),
    })
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('version 2 is active') })
  })

  const STAYS: [string, (token: string) => object, string][] = [
    [
      'the material is faulty',
      (token) => ({ handledRequest: token, conditions: [condition('Ready', 'False', 'WrongPassword')] }),
      'Ready is False (WrongPassword)',
    ],
    [
      'the request is refused',
      (token) => ({
        conditions: [
          { ...condition('RotationInProgress', 'False', 'NoRotation'), message: `The rotation "${token}" was not started.` },
        ],
      }),
      'was not started.',
    ],
  ]
  test.each(STAYS)('rotate --wait fails when the version stays because %s', async (_, answer, line) => {
    const earlier = (await readKey('seal')).spec.rotation?.request
    const result = await answered<SigningKeyObject>(['key', 'rotate', 'seal'], {
      resource: SIGNING_KEYS,
      name: 'seal',
      isAsked: ({ spec }) => spec.rotation?.request !== earlier,
      answer: ({ spec }) => answer(spec.rotation?.request ?? ''),
    })
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('the version did not change; ') })
    expect(result.stdout).toContain(line)
  })

  test('rotate --wait names the workers that it waits for when the time is over', async () => {
    const conditions = [condition('RotationInProgress', 'True', 'GracePeriod'), condition('Ready', 'False', 'WrongPassword')]
    await patch(SIGNING_KEYS, 'seal', { status: { conditions } }, 'status')
    const { code, stdout } = await plugin('key', 'rotate', 'seal', '--wait', '--timeout', '1')
    expect(code).toBe(1)
    expect(stdout).toContain('not done after 1 s; RotationInProgress is True (GracePeriod): GracePeriod it is.; Ready is False')
    await patch(SIGNING_KEYS, 'seal', { status: { conditions: conditions.slice(1) } }, 'status')
  })

  test('show prints versions, certificate and conditions', async () => {
    const status = {
      active: { version: 2, fingerprint: 'ab12', issuer: 'CN=Test CA', subject: 'CN=Seal', notAfter: '2027-01-01T00:00:00Z' },
      versions: [{ version: 2, state: 'Active', notAfter: '2027-01-01T00:00:00Z' }],
    }
    await patch(SIGNING_KEYS, 'seal', { status }, 'status')
    const { code, stdout } = await plugin('key', 'show', 'seal')
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'seal: PKCS12, Active, all organisations',
      '  active: version 2, valid until 2027-01-01T00:00:00Z',
      '  subject: CN=Seal',
      '  issuer: CN=Test CA',
      '  fingerprint: ab12',
      '  version 2: Active, valid until 2027-01-01T00:00:00Z',
      '  Ready: False (WrongPassword) WrongPassword it is.',
      '',
    ])
    expect(await plugin('key', 'show', 'seal', '--wait', '--timeout', '1')).toMatchObject({ code: 1 })
  })

  test('retire sets the state, and is refused for a key of the installation', async () => {
    expect(await plugin('key', 'retire', 'seal')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('spec.state is Retired'),
    })
    expect((await readKey('seal')).spec.state).toBe('Retired')
    expect(await plugin('key', 'rotate', 'seal')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('retired, which is final'),
    })
    await create(SIGNING_KEYS, 'installation', { spec: { origin: 'API', provider: { type: 'Installation' } } })
    expect(await plugin('key', 'retire', 'installation')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sealwright key retire --id'),
    })
  })
})

describe('uninstall', () => {
  const finalizersOf = async (name: string) => (await readWebhook(name)).metadata.finalizers ?? []

  test('releases objects from our finalizers, and leaves those of others', async () => {
    await create(WEBHOOK_SUBSCRIPTIONS, 'held', { spec: webhookSpec() })
    await patch(WEBHOOK_SUBSCRIPTIONS, 'held', { metadata: { finalizers: ['sealwright.io/subscription', 'example.com/other'] } })
    expect((await plugin('uninstall')).code).toBe(2)
    expect(await finalizersOf('held')).toHaveLength(2)
    const result = await plugin('uninstall', '--release-finalizers', '--json')
    expect([result.code, JSON.parse(result.stdout)]).toEqual([
      0,
      { released: [{ kind: 'WebhookSubscription', namespace, name: 'held' }] },
    ])
    expect(await finalizersOf('held')).toEqual(['example.com/other'])
    expect((await plugin('uninstall', '--release-finalizers')).stdout).toBe('no object has a finalizer of Sealwright\n')
  })
})
