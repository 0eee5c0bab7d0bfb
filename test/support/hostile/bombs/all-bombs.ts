// Documents made to cost more than they weigh: each is either refused or harmless, within seconds and in bounded memory.
import type { Bomb } from './bomb.ts'
import { CROSS_REFERENCES } from './cross-references.ts'
import { DRAWING } from './drawing.ts'
import { FONTS } from './fonts.ts'
import { STRUCTURE } from './structure.ts'
import { TEDIOUS } from './tedious.ts'
import { UNPACKING } from './unpacking.ts'

/** By what makes them costly. */
export const BOMBS: Readonly<Record<string, readonly Bomb[]>> = {
  'that unpacks to too much': UNPACKING,
  'that is tedious to read': TEDIOUS,
  'that draws forms': DRAWING,
  'with odd fonts': FONTS,
  'with an odd structure': STRUCTURE,
  'with odd cross-references': CROSS_REFERENCES,
}
