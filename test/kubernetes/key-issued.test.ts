// Signing keys that are generated, and those that cert-manager issues: one Secret for each version.
import { expect, test } from 'vitest'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { CERTIFICATE_DEFINITION } from '../support/builders/certificate-definition.ts'
import { keyWorld } from '../support/servers/key-world.ts'
import { condition } from '../support/servers/operator-world.ts'
import { standInIssuer } from '../support/servers/stand-in-issuer.ts'

const keys = await keyWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '1s', SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS: 'true' })
const { world, until } = keys
const { orgId } = world
const issuer = standInIssuer(keys)
await keys.start()
await keys.worker('first')

const isReady = (name: string) => until(async () => expect(condition(await keys.object(name), 'Ready')).toBe('True Ready'))
const secretsOf = async (name: string) => (await keys.secretNames()).filter((each) => each.startsWith(`${name}-v`))
const messageOf = async (name: string, type: string) =>
  (await keys.object(name))?.status?.conditions?.find((each) => each.type === type)?.message

test('a key is generated into a Secret of its own for each version, and an unused one is deleted', async () => {
  const selfSigned = { algorithm: 'EC-P256', commonName: 'Test seal' }
  await keys.create('generated', { orgId, provider: { type: 'SelfSigned', selfSigned } })
  await isReady('generated')
  const object = await keys.object('generated')
  expect(object?.status?.active).toMatchObject({ version: 1, subject: expect.stringContaining('CN=Test seal') as string })
  expect(condition(object, 'Trusted')).toBe('False SelfSigned')
  const [first = '', ...others] = await secretsOf('generated')
  expect(others).toEqual([])
  const path = `/api/v1/namespaces/${world.namespace}/secrets/${first}`
  expect(await world.kube.requests.request({ method: 'GET', path })).toMatchObject({
    immutable: true,
    metadata: {
      name: expect.stringMatching(/^generated-v1-[0-9a-f]{6}$/) as string,
      ownerReferences: [{ uid: object?.metadata.uid }],
    },
  })

  await keys.patch('generated', { spec: { rotation: { request: 'r1' } } })
  await until(async () =>
    expect((await keys.object('generated'))?.status).toMatchObject({ handledRequest: 'r1', active: { version: 2 } }),
  )
  await until(async () => expect(await secretsOf('generated')).toEqual([expect.stringMatching(/^generated-v2-/)]))
  expect(await keys.sealing()).toBe(`${object?.status?.keyId} 2`)

  await keys.remove('generated')
  await until(async () => expect(await keys.object('generated')).toBeUndefined())
  expect(await secretsOf('generated')).toEqual([])
})

test('cert-manager issues a Certificate for each version, and the next one before the end of the last', async () => {
  const issuerRef = { name: 'document-signing', kind: 'ClusterIssuer' }
  await keys.create('issued', {
    orgId,
    provider: { type: 'CertManager', certManager: { issuerRef, duration: '8760h', renewBefore: '720h' } },
  })
  await until(async () => expect(await messageOf('issued', 'MaterialAvailable')).toMatch(/install cert-manager/))
  await applyManifests(world.kube.requests, [CERTIFICATE_DEFINITION])
  await until(async () =>
    expect((await issuer.certificate('issued-v1')).spec).toMatchObject({
      issuerRef: { ...issuerRef, group: 'cert-manager.io' },
      duration: '8760h',
      secretName: 'issued-v1',
      privateKey: { rotationPolicy: 'Never' },
      renewal: { policy: 'Disabled' },
    }),
  )
  await issuer.deny('issued-v1', 'The issuer does not exist.')
  await until(async () => expect(await messageOf('issued', 'MaterialAvailable')).toMatch(/issuer does not exist/))
  await until(async () => expect(condition(await keys.object('issued'), 'Ready')).toBe('False CertificatePending'))

  // Another issuer: the Certificate is created again.
  const { metadata: before } = await issuer.certificate('issued-v1')
  await keys.patch('issued', { spec: { provider: { certManager: { issuerRef: { name: 'other' } } } } })
  await until(async () => expect((await issuer.certificate('issued-v1')).metadata.uid).not.toBe(before.uid))
  await issuer.issue('issued-v1')
  await isReady('issued')
  const { status } = (await keys.object('issued')) ?? {}
  expect(status).toMatchObject({ active: { version: 1 }, renewalTime: expect.any(String) as string })

  const seconds = (Date.parse(status?.renewalTime ?? '') - Date.now()) / 1000 + 86_400
  await world.database.moveClock(seconds)
  await until(async () => expect(condition(await keys.object('issued'), 'MaterialAvailable')).toBe('False CertificatePending'))
  expect(condition(await keys.object('issued'), 'RotationInProgress')).toBe('True GracePeriod')
  expect(await keys.sealing()).toBe(`${status?.keyId} 1`)
  await issuer.issue('issued-v2', new Date(Date.now() + seconds * 1000))
  await until(async () => expect((await keys.object('issued'))?.status?.active?.version).toBe(2))
  await isReady('issued')
  await until(async () => expect(await secretsOf('issued')).toEqual(['issued-v2']))
  await expect(issuer.certificate('issued-v1')).rejects.toMatchObject({ status: 404 })

  await keys.remove('issued')
  await until(async () => expect(await keys.object('issued')).toBeUndefined())
  expect(await secretsOf('issued')).toEqual([])
  await expect(issuer.certificate('issued-v2')).rejects.toMatchObject({ status: 404 })
})
