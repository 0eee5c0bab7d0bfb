// The /W array of a CIDFont (ISO 32000-2, 9.7.4.3): runs `first [w w ...]` and ranges `first last w`, found by binary search, so that wide ranges cost no memory.
import type { PdfFile } from '../read/pdf-file.ts'
import type { PdfDict } from '../read/value.ts'
import { numberEntry, numberOf } from './number-entries.ts'

interface Run {
  readonly first: number
  readonly last: number
  /** One width for each CID of the run, or one for all. */
  readonly widths: readonly number[]
}

const DEFAULT_WIDTH = 1000

/** Returns the width of a CID in thousandths of the font size. */
export function cidWidths(file: PdfFile, font: PdfDict): (cid: number) => number {
  const standard = numberEntry(file, font, 'DW') ?? DEFAULT_WIDTH
  const runs = readRuns(file, font).sort((one, other) => one.first - other.first)
  return (cid) => {
    const run = runs[lastStartingBy(runs, cid)]
    if (run === undefined || cid > run.last) return standard
    const width = run.widths[run.widths.length === 1 ? 0 : cid - run.first] ?? NaN
    return Number.isNaN(width) ? standard : width
  }
}

function readRuns(file: PdfFile, font: PdfDict): Run[] {
  const array = file.resolve(font.entries.get('W'))
  const items = array.kind === 'array' ? array.items : []
  const runs: Run[] = []
  for (let index = 0; index + 1 < items.length;) {
    const first = numberOf(file, items[index])
    const second = file.resolve(items[index + 1])
    if (second.kind === 'array') {
      const widths = second.items.map((item) => numberOf(file, item))
      runs.push({ first, last: first + widths.length - 1, widths })
      index += 2
    } else {
      runs.push({ first, last: numberOf(file, second), widths: [numberOf(file, items[index + 2])] })
      index += 3
    }
  }
  return runs.filter((run) => run.first <= run.last)
}

/** The index of the last run that starts at or before the CID, or -1. */
function lastStartingBy(runs: readonly Run[], cid: number): number {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.first ?? Infinity) <= cid) low = middle + 1
    else high = middle
  }
  return low - 1
}
