import { nextOrder, SIGNER_STATUSES, signersInTurn, withOrders } from '#core/envelope/signer/rules.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { answerOf } from '../../../../support/clients/answer-of.ts'

type Given = { signOrder?: number | undefined }

describe('the orders of signers', () => {
  test.each<[string, Given[], number[]]>([
    ['counted where none is given', [{}, {}, {}], [1, 2, 3]],
    ['kept where they are given', [{ signOrder: 30 }, { signOrder: 7 }], [30, 7]],
    ['counted by position beside given ones', [{ signOrder: 9 }, {}, { signOrder: 1 }], [9, 2, 1]],
    ['counted where undefined is given', [{ signOrder: undefined }], [1]],
    ['none without signers', [], []],
  ])('are %s', (_, signers, orders) => {
    expect(withOrders(signers).map(({ signOrder }) => signOrder)).toEqual(orders)
  })

  test.each<[string, Given[]]>([
    ['two given ones are equal', [{ signOrder: 4 }, { signOrder: 4 }]],
    ['a given one is the position of another', [{ signOrder: 2 }, {}]],
  ])('are refused when %s', (_, signers) => {
    expect(answerOf(() => withOrders(signers))).toBe('DUPLICATE_SIGN_ORDER')
  })

  test('leave the signer otherwise unchanged', () => {
    const ada: Given & { email: string } = { email: 'ada@example.test' }
    expect(withOrders([ada])).toEqual([{ ...ada, signOrder: 1 }])
  })
})

describe('the order of a signer added later', () => {
  test.each([
    ['first', [], 1],
    ['after the highest', [3, 17, 5], 18],
    ['the last possible one', [998], 999],
    ['none left', [999], 'VALIDATION_FAILED'],
  ])('%s', (_, taken, answer) => {
    expect(answerOf(() => nextOrder(taken))).toBe(answer)
  })
})

describe('whose turn it is', () => {
  const signers = fc.uniqueArray(
    fc.record({ signOrder: fc.integer({ min: 1, max: 999 }), status: fc.constantFrom(...SIGNER_STATUSES) }),
    { maxLength: 50, selector: ({ signOrder }) => signOrder },
  )

  test('with sequential signing only the first who has not signed', () => {
    fc.assert(
      fc.property(signers, (all) => {
        const [next, ...others] = signersInTurn(all, true)
        expect(others).toEqual([])
        const waiting = all.filter(({ status }) => status !== 'SIGNED').map(({ signOrder }) => signOrder)
        expect(next?.signOrder).toBe(waiting.length > 0 ? Math.min(...waiting) : undefined)
      }),
    )
  })

  test('otherwise all who have not signed, in order', () => {
    fc.assert(
      fc.property(signers, (all) => {
        const orders = signersInTurn(all, false).map(({ signOrder }) => signOrder)
        expect(orders).toEqual(orders.toSorted((left, right) => left - right))
        expect(new Set(orders)).toEqual(
          new Set(all.filter(({ status }) => status !== 'SIGNED').map(({ signOrder }) => signOrder)),
        )
      }),
    )
  })
})
