// What is kept of checks of stored files: answers that stay true, up to a number.
import { expect, it } from 'vitest'
import { openVerdictCache } from '#core/pades/verdict-cache.ts'
import type { VerificationAnswer } from '#core/pades/verification-thread.ts'

const VALID: VerificationAnswer = { valid: true, signedAt: new Date('2027-01-02T03:04:05Z') }
const INVALID: VerificationAnswer = { valid: false, message: 'its bytes have changed.' }

/** A cache, and the names of the files that were checked. */
function watchedCache(answer: () => Promise<VerificationAnswer>, maxFiles?: number) {
  const cache = openVerdictCache(maxFiles)
  const checked: string[] = []
  const ask = (name: string) =>
    cache.get(name, () => {
      checked.push(name)
      return answer()
    })
  return { ask, checked }
}

it('a valid file is checked once, also for callers at the same time', async () => {
  const { ask, checked } = watchedCache(async () => VALID)
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([VALID, VALID, VALID])
  await ask('a')
  expect(checked).toEqual(['a', 'b'])
})

it.each<[string, () => Promise<VerificationAnswer>]>([
  ['a file that is not valid', async () => INVALID],
  ['a check that fails', () => Promise.reject(new Error('the store is away'))],
])('%s is shared by callers at the same time, and checked again later', async (_, answer) => {
  const { ask, checked } = watchedCache(answer)
  const [one, two] = await Promise.allSettled([ask('a'), ask('a')])
  expect(one).toEqual(two)
  await Promise.allSettled([ask('a')])
  expect(checked).toEqual(['a', 'a'])
})

it('the file that was asked about least recently is given up first', async () => {
  const { ask, checked } = watchedCache(async () => VALID, 2)
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(name)
  expect(checked).toEqual(['a', 'b', 'c', 'b'])
})
