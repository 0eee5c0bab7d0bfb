// A store that accepts connections and never responds: the start continues without it, and reports it.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { openStore } from '#core/installation/open-store.ts'
import { expect, test } from 'vitest'

test('is opened after ten seconds, and its check reports why it is not ready', { timeout: 40_000 }, async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  try {
    const { settings } = readSettings({
      SEALWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      SEALWRIGHT_S3_BUCKET: 'documents',
      SEALWRIGHT_S3_ACCESS_KEY_ID: 'id',
      SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'key',
    })
    const keys = deriveInstallationKeys(randomBytes(32))
    await using opened = await openStore({ ...settings, publicUrl: 'http://127.0.0.1' }, keys, openLog('silent'))
    expect(opened.line).toMatch(/; NOT AVAILABLE YET: The object store did not respond within 10 s\.$/)
    await expect(opened.store.check()).rejects.toThrow('did not respond within 10 s')
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})
