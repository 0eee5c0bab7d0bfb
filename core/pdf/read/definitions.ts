// Where objects begin in the bytes of a file (`12 0 obj`), whatever its cross-reference sections say. Also finds such words inside of a stream: a caller
// refuses or keeps more than it has to, never less.
export interface Definition {
  readonly num: number
  readonly gen: number
  /** Position of the number. */
  readonly at: number
}

const DEFINITION = /(?<![0-9])([0-9]{1,8})[\0\t\n\f\r ]+([0-9]{1,5})[\0\t\n\f\r ]+obj/g

/** Yields the definitions in the order of the file. */
export function* definitionsIn(bytes: Buffer): Generator<Definition> {
  for (const { index, 1: num, 2: gen } of bytes.toString('latin1').matchAll(DEFINITION)) {
    yield { num: Number(num), gen: Number(gen), at: index }
  }
}

/** The first one; undefined when no object begins here. */
export function firstDefinition(bytes: Buffer): Definition | undefined {
  return definitionsIn(bytes).next().value ?? undefined
}
