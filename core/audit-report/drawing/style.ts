// The style of a report: A4, one font family in few sizes, the colours of the seal.
import type { Weight } from '#core/appearance/seal-fonts.ts'

/** Points. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 790, bottom: 64 } as const
export const CONTENT_WIDTH = PAGE.right - PAGE.left

/** PDF fill colours. */
export const COLOUR = {
  ink: '0.07 0.09 0.13 rg',
  grey: '0.36 0.4 0.46 rg',
  brand: '0.11 0.29 0.49 rg',
  line: '0.86 0.88 0.91 rg',
  tint: '0.95 0.965 0.98 rg',
  good: '0.07 0.42 0.24 rg',
  goodTint: '0.92 0.97 0.94 rg',
  bad: '0.65 0.11 0.13 rg',
  badTint: '0.99 0.93 0.93 rg',
} as const

export interface TextStyle {
  weight: Weight
  size: number
  /** From baseline to baseline. */
  leading: number
  colour: (typeof COLOUR)[keyof typeof COLOUR]
}

export const STYLE = {
  kicker: { weight: 600, size: 8, leading: 11, colour: COLOUR.brand },
  title: { weight: 600, size: 19, leading: 24, colour: COLOUR.ink },
  heading: { weight: 600, size: 11, leading: 15, colour: COLOUR.brand },
  strong: { weight: 600, size: 8.5, leading: 11.5, colour: COLOUR.ink },
  body: { weight: 400, size: 8.5, leading: 11.5, colour: COLOUR.ink },
  small: { weight: 400, size: 7, leading: 9.5, colour: COLOUR.grey },
  label: { weight: 600, size: 7, leading: 10.5, colour: COLOUR.grey },
  good: { weight: 600, size: 10, leading: 13.5, colour: COLOUR.good },
  mark: { weight: 600, size: 9, leading: 12, colour: COLOUR.bad },
  bad: { weight: 600, size: 10, leading: 13.5, colour: COLOUR.bad },
} as const satisfies Record<string, TextStyle>
