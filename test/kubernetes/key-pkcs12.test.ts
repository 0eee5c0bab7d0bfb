// Signing keys from PKCS#12 files in Secrets, which workers read and the controller does not.
import { expect, test } from 'vitest'
import { newSelfMadeKey } from '#core/pades/self-made-key.ts'
import { openedKey, p12File } from '../support/builders/signing-keys.ts'
import { keyWorld, pkcs12 } from '../support/servers/key-world.ts'
import { condition } from '../support/servers/operator-world.ts'

const keys = await keyWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { world, until } = keys
await world.start()
await keys.worker('first', true)
await keys.putSecret('good', { 'tls.p12': p12File('p256-aes'), password: 'secret\n' })
await keys.putSecret('better', { 'tls.p12': p12File('rsa-aes'), password: 'secret' })

test('an object with a file becomes the key that seals', async () => {
  const { metadata } = await keys.create('seal', { orgId: world.orgId, ...pkcs12('good') })
  await until(async () => expect(condition(await keys.object('seal'), 'Ready')).toBe('True Ready'))
  const object = await keys.object('seal')
  const row = await keys.row({ uid: metadata.uid ?? '' })
  expect(object?.metadata.finalizers).toEqual(['sealwright.io/signing-key'])
  expect(object?.status).toMatchObject({
    keyId: row?.id,
    rowVersion: row?.rowVersion,
    active: { version: 1, fingerprint: row?.active?.certificate?.fingerprint },
    loadedBy: '1/1',
  })
  expect(await keys.sealing()).toBe(`${row?.id} 1`)
})
