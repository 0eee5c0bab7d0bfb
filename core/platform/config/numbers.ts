// Whole numbers in settings.
import { z } from 'zod'

/** Digits only. */
export const whole = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

export const positive = whole.refine((value) => value > 0, 'must be greater than 0')

/** More than zero, and at most `most`. */
export const upTo = (most: number) => positive.refine((value) => value <= most, `must be at most ${most}`)
