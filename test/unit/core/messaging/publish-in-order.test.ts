// Whatever messages the notifier accepts, and however long that takes: of each partition it got a prefix in order, and nothing is published after an error.
import { setImmediate as turn } from 'node:timers/promises'
import { publishInOrder } from '#core/messaging/publish-in-order.ts'
import { fc } from '../../../support/builders/properties.ts'
import { expect, test } from 'vitest'

const message = fc.record({
  partition: fc.integer({ min: 0, max: 3 }),
  turns: fc.integer({ min: 0, max: 4 }),
  refused: fc.boolean(),
})

test('each partition is published in order, up to the first rejected message', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
      const taken: typeof messages = []
      let underWay = 0
      const published = publishInOrder(messages, async (each) => {
        underWay += 1
        for (let turns = 0; turns < each.turns; turns++) await turn()
        underWay -= 1
        if (each.refused) throw new Error('refused')
        taken.push(each)
      })
      const outcome = await published.then(() => 'taken', String)
      expect(underWay).toBe(0)
      expect(outcome).toBe(messages.some(({ refused }) => refused) ? 'Error: refused' : 'taken')
      for (const partition of [0, 1, 2, 3]) {
        const [of, had] = [messages, taken].map((list) => list.filter((each) => each.partition === partition))
        expect(had).toEqual(of?.slice(0, had?.length))
        const refused = of?.findIndex((each) => each.refused) ?? -1
        if (refused >= 0) expect(had?.length).toBeLessThanOrEqual(refused)
      }
    }),
  )
})

test('partitions do not wait for each other', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: number[] = []
  const published = publishInOrder([{ partition: 1 }, { partition: 2 }, { partition: 1 }], async ({ partition }) => {
    begun.push(partition)
    await gate.promise
  })
  expect(begun).toEqual([1, 2])
  gate.resolve()
  await published
  expect(begun).toEqual([1, 2, 1])
})
