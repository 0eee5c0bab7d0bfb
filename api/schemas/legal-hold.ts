// A legal hold.
import { z } from 'zod'
import { DateTime } from './scalars.ts'

export const LegalHoldResponse = z
  .object({ heldSince: DateTime })
  .meta({ id: 'LegalHoldResponse', description: 'The documents of the envelope are kept until the hold is released.' })
