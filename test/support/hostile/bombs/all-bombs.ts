// Documents that cost more than their size suggests: each is either rejected or harmless, within seconds and in bounded memory.
import type { Bomb } from './bomb.ts'
import { CROSS_REFERENCES } from './cross-references.ts'
import { DRAWING } from './drawing.ts'
import { FONTS } from './fonts.ts'
import { STRUCTURE } from './structure.ts'
import { TEDIOUS } from './tedious.ts'
import { UNPACKING } from './unpacking.ts'

/** Grouped by the cause of their cost. */
export const BOMBS: Readonly<Record<string, readonly Bomb[]>> = {
  'that unpacks to too much': UNPACKING,
  'that is tedious to read': TEDIOUS,
  'that draws forms': DRAWING,
  'with odd fonts': FONTS,
  'with an odd structure': STRUCTURE,
  'with odd cross-references': CROSS_REFERENCES,
}
