import { expect, test } from 'vitest'
import { newObjectStore } from '../../../../controller/runtime/object-store.ts'

interface Thing {
  org: string
  tags: string[]
}

const newStore = () => newObjectStore<Thing>({ org: ({ org }) => [org], tag: ({ tags }) => tags })

test('an object is found by its key and by every value of its indexes', () => {
  const store = newStore()
  const thing = { org: 'one', tags: ['a', 'b'] }
  expect(store.put('ns/x', thing)).toBeUndefined()
  expect([store.get('ns/x'), store.by('org', 'one'), store.by('tag', 'b'), store.size]).toEqual([thing, [thing], [thing], 1])
})

test('a changed object is found by its new values only, a removed one by none', () => {
  const store = newStore()
  const before = { org: 'one', tags: ['a'] }
  const now = { org: 'two', tags: ['a', 'c'] }
  store.put('ns/x', before)
  store.put('ns/y', before)
  expect(store.put('ns/x', now)).toBe(before)
  expect([store.by('org', 'one'), store.by('org', 'two'), store.by('tag', 'c')]).toEqual([[before], [now], [now]])
  expect(store.remove('ns/x')).toBe(now)
  expect([store.remove('ns/x'), store.by('org', 'two'), store.by('tag', 'c'), store.list()]).toEqual([
    undefined,
    [],
    [],
    [before],
  ])
  expect(store.keys()).toEqual(['ns/y'])
})

test('a query by an index that was not declared is an error', () => {
  expect(() => newStore().by('color', 'red')).toThrow('there is no index color')
})
