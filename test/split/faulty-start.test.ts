// `npm run start:split` with a setting that only a tier can reject: it exits as that tier does, with its message, and never reports
// readiness.
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type Environment, runTier } from '../support/servers/tier-process.ts'

/** The test servers are built, so Go's cache folders must be known. */
const INHERITED = { ...process.env } as Environment

let dataDir: string
let stranger: Server
let strangersPort: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-faulty-'))
  // As ready as a real Sealwright process.
  stranger = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const address = stranger.address()
  strangersPort = String(typeof address === 'object' && address ? address.port : 0)
})
afterAll(async () => {
  stranger.close()
  await rm(dataDir, { recursive: true })
})

// requirements: running/starting/npm run start:split
test.each([
  // First: existing streams are changed without a message.
  [
    'more replicas than there are servers',
    () => ({ SEALWRIGHT_NATS_REPLICAS: '3' }),
    /^\w+ exited \(exit code 1\)\. The stream \S+ cannot be created: .+\. See SEALWRIGHT_NATS_REPLICAS/,
  ],
  [
    'a port that a stranger has, who answers there',
    () => ({ SEALWRIGHT_PORT: strangersPort }),
    /^api exited \(exit code 1\)\. Cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\. See SEALWRIGHT_PORT\.$/,
  ],
  [
    'a signing key that is none',
    () => ({ SEALWRIGHT_SIGNING_KEY_P12_FILE: 'package.json' }),
    /^seal exited \(exit code 1\)\. SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The file is not a readable P12/,
  ],
])('%s', async (_, settings, sentence) => {
  const environment = { ...INHERITED, SEALWRIGHT_DATA_DIR: dataDir, SEALWRIGHT_PORT: String(await freePort()), ...settings() }
  const { code, words } = await runTier(['hack/split/main.ts'], environment)
  expect([code, words.at(-1)]).toEqual([1, expect.stringMatching(sentence)])
  expect(words.join('\n')).not.toContain('is ready')
  await expect(access(path.join(dataDir, 'dev.json'))).rejects.toThrow('ENOENT')
})
