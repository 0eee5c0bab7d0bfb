// The schema of `status.conditions`: the standard condition of Kubernetes, a list that is merged by type.
import { z } from 'zod'
import { Counter, Time } from './scalars.ts'

const Condition = z.object({
  type: z.string().max(64).describe('The condition. Each type occurs once.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether the condition holds.'),
  reason: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z](?:[A-Za-z0-9]*[A-Za-z0-9])?$/)
    .describe('Why, as one word that programs can compare. docs/custom-resources.md lists all of them.'),
  message: z.string().max(4096).describe('Why, as a sentence, and what to do.'),
  lastTransitionTime: Time.describe('When the status last changed.'),
  observedGeneration: Counter.optional().describe('The generation of the object that this condition is about.'),
})

/** At most 16 conditions, each type once. */
export const Conditions = z
  .array(Condition)
  .max(16)
  .meta({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    description: 'The state of the object, one entry for each concern. `Ready` summarises the others.',
  })
