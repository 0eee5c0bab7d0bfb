// Which setting a listen error names, with real errors of the system.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { openLog } from '#core/platform/log.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { register } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { serve } from '../../../../../api/serve.ts'
import { freePort } from '../../../../../hack/servers/free-port.ts'

// A process has one status server; this test has several.
afterEach(() => register.clear())

/** Every server that listens. */
const LISTENERS = [
  ['SEALWRIGHT_PORT', (host: string, port: number) => serve(() => {}, host, port)],
  ['SEALWRIGHT_METRICS_PORT', (host: string, metricsPort: number) => startStatusServer({ host, metricsPort }, openLog('silent'))],
] as const

test.each(LISTENERS)('%s is named when the port is taken', async (setting, listen) => {
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(listen('127.0.0.1', port)).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}. See ${setting}.`,
  )
})

// 203.0.113.0/24 is for documentation alone (RFC 5737), .invalid never a name (RFC 2606).
const ELSEWHERE = ['203.0.113.9', 'nowhere.invalid'].flatMap((host) =>
  LISTENERS.map(([setting, listen]) => ({ host, setting, listen })),
)
test.each(ELSEWHERE)('the host $host is named, not $setting, when it is not on this machine', async ({ host, listen }) => {
  const port = await freePort()
  await expect(listen(host, port)).rejects.toThrow(/^Cannot listen on [\w.]+:\d+: .+\. See SEALWRIGHT_HOST\.$/)
})
