// A repeatable random generator: the same seed gives the same numbers.

/** Returns a whole number below `sides`. */
export type SeededRandom = (sides: number) => number

/** Numerical Recipes' generator. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** One of the values. Throws when there is none. */
export function anyOf<Value>(values: readonly Value[], roll: SeededRandom): Value {
  const value = values[roll(values.length)]
  if (value === undefined) throw new Error('There is nothing to choose from.')
  return value
}

/** A seed for a run without one. */
export function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}
