// `npm run start:split` with a setting that only a tier can reject: it exits as that tier does, with its message, and never reports
// readiness. `start/` tests the other settings that a tier rejects, and `hack/split/` what becomes of a tier that exits.
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
test('a port that another program has, which answers there', async () => {
  const environment = {
    ...INHERITED,
    SEALWRIGHT_DATA_DIR: dataDir,
    SEALWRIGHT_PORT: strangersPort,
  }
  const { code, words } = await runTier(['hack/split/main.ts'], environment)
  const sentence = /^api exited \(exit code 1\)\. Cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\. See SEALWRIGHT_PORT\.$/
  expect([code, words.at(-1)]).toEqual([1, expect.stringMatching(sentence)])
  expect(words.join('\n')).not.toContain('is ready')
  await expect(access(path.join(dataDir, 'dev.json'))).rejects.toThrow('ENOENT')
})
