// The processes in a network that ends at this machine, as in a closed one: they try no connection but those to the servers of their settings.
import path from 'node:path'
import { expect, test } from 'vitest'
import { closedNetworkRefusal, runInClosedNetwork } from '../support/servers/closed-network.ts'

const refusal = await closedNetworkRefusal()
if (refusal !== undefined) console.warn(`Skipped, because no closed network can be made here: ${refusal}`)
const script = (name: string) => path.join(import.meta.dirname, 'closed-network', name)

test.skipIf(refusal !== undefined)(
  'an envelope is signed, sealed, reported, mailed and delivered without an attempt to leave the network',
  async () => {
    expect(Number(await runInClosedNetwork(script('run-envelope.ts')))).toBe(0)
  },
)

test.skipIf(refusal !== undefined)('every kind of attempt would have counted', async () => {
  const counts: number[] = JSON.parse(await runInClosedNetwork(script('reach-out.ts')))
  expect(counts).toHaveLength(5)
  expect(counts[0]).toBe(0)
  for (const [index, count] of counts.entries()) if (index > 0) expect(count).toBeGreaterThan(counts[index - 1]!)
})
