// Effects of content operators on the graphics state, in the few kinds that matter for appending to a page (ISO 32000-2, annex A).

export type Effect =
  | 'save'
  | 'restore'
  /** Changes a part of the graphics state that q saves. */
  | 'state'
  | 'path'
  | 'endPath'
  | 'paint'
  | 'beginText'
  | 'endText'
  | 'mark'
  | 'endMark'
  /** ID: the data of an inline image follows. */
  | 'image'

const OPERATORS: readonly (readonly [Effect, string])[] = [
  ['save', 'q'],
  ['restore', 'Q'],
  ['state', 'cm w J j M d ri i gs CS cs SC SCN sc scn G g RG rg K k W W* Tc Tw Tz TL Tf Tr Ts TD'],
  ['path', 'm l c v y h re'],
  ['endPath', 'S s f F f* B B* b b* n'],
  ['paint', `sh Do Tj TJ ' "`],
  ['beginText', 'BT'],
  ['endText', 'ET'],
  ['mark', 'BMC BDC'],
  ['endMark', 'EMC'],
  ['image', 'ID'],
]

const MAX_OPERATOR_BYTES = 3
const EFFECTS = new Map<number, Effect>()
for (const [effect, operators] of OPERATORS) {
  for (const operator of operators.split(' ')) {
    const bytes = Buffer.from(operator)
    EFFECTS.set(codeOf(bytes, 0, bytes.length), effect)
  }
}

/** The effect of the operator in [start, end); undefined for operands and for operators without an effect. */
export function effectOf(bytes: Buffer, start: number, end: number): Effect | undefined {
  return end - start > MAX_OPERATOR_BYTES ? undefined : EFFECTS.get(codeOf(bytes, start, end))
}

function codeOf(bytes: Buffer, start: number, end: number): number {
  let code = 0
  for (let at = start; at < end; at++) code = code * 256 + (bytes[at] ?? 0)
  return code
}
