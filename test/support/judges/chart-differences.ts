// What one render of the chart has otherwise than another one: whole objects, and the changed values of those that both have.
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'

/** An object that the other render has not, or lacks. */
type Difference = KubeObject | { removed: string } | { changed: string; values: Record<string, unknown> }

/** A value that is not there. */
const ABSENT = null

export function differencesOf(base: readonly KubeObject[], other: readonly KubeObject[]): Difference[] {
  const before = byName(base)
  const after = byName(other)
  const found = [...after].flatMap(([name, object]): Difference[] => {
    const was = before.get(name)
    if (was === undefined) return [object]
    const values = Object.fromEntries(changes('', was, object))
    return Object.keys(values).length === 0 ? [] : [{ changed: name, values }]
  })
  const removed = [...before.keys()].filter((name) => !after.has(name)).map((name) => ({ removed: name }))
  return [...found, ...removed]
}

function byName(objects: readonly KubeObject[]): Map<string, KubeObject> {
  return new Map(objects.map((each) => [`${each.kind} ${each.metadata.namespace ?? ''} ${each.metadata.name}`, each]))
}

/** By path: the new value of each leaf, or of the innermost part that is new. */
function* changes(path: string, was: unknown, is: unknown): Generator<[string, unknown]> {
  if (JSON.stringify(was) === JSON.stringify(is)) return
  const [before, after] = [partsOf(was), partsOf(is)]
  if (before === undefined || after === undefined) {
    yield [path, is ?? ABSENT]
    return
  }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (before.has(key) && after.has(key)) yield* changes(`${path}${key}`, before.get(key), after.get(key))
    else yield [`${path}${key}`, after.get(key) ?? ABSENT]
  }
}

/** The parts of an object, and of a list whose items all have a name of their own; undefined for what counts as one value. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, part]) => [`.${key}`, part]))
  const named = new Map<string, unknown>(value.map((item: { name?: string } | null) => [`[${item?.name}]`, item]))
  return named.size === value.length && !named.has('[undefined]') ? named : undefined
}
