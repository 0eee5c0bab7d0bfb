// The operators that position or show text, except those that need resources. ISO 32000-2, tables 56, 103, 105 to 107.
import { operatorCode } from './content-reader.ts'
import { IDENTITY, type Matrix, multiply } from './matrix.ts'
import { numberFromEnd, type Operands } from './operands.ts'
import { showOperands, type TextRun } from './show-text.ts'
import { moveLine, restoreGraphics, saveGraphics, setLine } from './text-state.ts'

type Operator = (run: TextRun, operands: Operands) => void

/** Operators by their code. An operator with too few operands is skipped where viewers skip it; otherwise missing numbers are 0. */
export const TEXT_OPERATORS: ReadonlyMap<number, Operator> = new Map(
  Object.entries<Operator>({
    q: ({ state }) => saveGraphics(state),
    Q: ({ state }) => restoreGraphics(state),
    cm: ({ state: { graphics } }, operands) => {
      graphics.ctm = multiply(matrixOperand(operands) ?? IDENTITY, graphics.ctm)
    },
    BT: ({ state }) => setLine(state, IDENTITY),
    Tm: ({ state }, operands) => setLine(state, matrixOperand(operands) ?? state.line),
    Td: ({ state }, operands) => moveLine(state, numberFromEnd(operands, 1), numberFromEnd(operands, 0)),
    TD: ({ state }, operands) => {
      state.graphics.leading = -numberFromEnd(operands, 0)
      moveLine(state, numberFromEnd(operands, 1), numberFromEnd(operands, 0))
    },
    'T*': nextLine,
    TL: ({ state: { graphics } }, operands) => void (graphics.leading = numberFromEnd(operands, 0)),
    Tc: ({ state: { graphics } }, operands) => void (graphics.characterSpacing = numberFromEnd(operands, 0)),
    Tw: ({ state: { graphics } }, operands) => void (graphics.wordSpacing = numberFromEnd(operands, 0)),
    Tz: ({ state: { graphics } }, operands) => void (graphics.scaling = numberFromEnd(operands, 0) / 100),
    Ts: ({ state: { graphics } }, operands) => void (graphics.rise = numberFromEnd(operands, 0)),
    Tj: showLast,
    TJ: (run, operands) => showOperands(run, operands, 0),
    "'": (run, operands) => {
      nextLine(run)
      showLast(run, operands)
    },
    '"': (run, operands) => {
      run.state.graphics.wordSpacing = numberFromEnd(operands, 2)
      run.state.graphics.characterSpacing = numberFromEnd(operands, 1)
      nextLine(run)
      showLast(run, operands)
    },
  }).map(([name, operator]) => [operatorCode(name), operator]),
)

function showLast(run: TextRun, operands: Operands): void {
  showOperands(run, operands, operands.count - 1)
}

function nextLine({ state }: TextRun): void {
  moveLine(state, 0, -state.graphics.leading)
}

/** The last six operands as a matrix; undefined when there are fewer. */
function matrixOperand(operands: Operands): Matrix | undefined {
  if (operands.count < 6) return undefined
  const number = (back: number): number => numberFromEnd(operands, back)
  return [number(5), number(4), number(3), number(2), number(1), number(0)]
}
