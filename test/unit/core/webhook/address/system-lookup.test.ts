import { lookup as systemLookup } from 'node:dns/promises'
import { openSystemLookup } from '#core/webhook/address/system-lookup.ts'
import { beforeEach, expect, test, vi } from 'vitest'

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }))

const SIGNAL = new AbortController().signal
const system = vi.mocked(systemLookup as (name: string, options: object) => Promise<{ address: string; family: number }[]>)
beforeEach(() => system.mockReset())

test('every address of the name is returned, in the order of the resolver', async () => {
  system.mockResolvedValue([
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 },
  ])
  expect(await openSystemLookup()('hook.example.com', SIGNAL)).toEqual(['2001:db8::1', '192.0.2.1'])
  expect(system).toHaveBeenCalledWith('hook.example.com', { all: true, order: 'verbatim' })
})

test('lookups of a name at the same time share one call, and later ones do not', async () => {
  const first = Promise.withResolvers<{ address: string; family: number }[]>()
  system.mockReturnValueOnce(first.promise).mockRejectedValueOnce(new Error('EAI_AGAIN')).mockResolvedValue([])
  const lookup = openSystemLookup()
  const together = [lookup('slow.example.com', SIGNAL), lookup('slow.example.com', SIGNAL)]
  const other = lookup('other.example.com', SIGNAL)
  await expect(other).rejects.toThrow('EAI_AGAIN')
  first.resolve([{ address: '192.0.2.1', family: 4 }])
  expect(await Promise.all(together)).toEqual([['192.0.2.1'], ['192.0.2.1']])
  expect(system).toHaveBeenCalledTimes(2)

  expect(await lookup('slow.example.com', SIGNAL)).toEqual([])
  expect(await lookup('other.example.com', SIGNAL)).toEqual([])
  expect(system).toHaveBeenCalledTimes(4)
})
