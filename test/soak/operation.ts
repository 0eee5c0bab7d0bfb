// One act of a user in a soak, and what the journal notes about it.
import type { SeededRandom } from '../support/builders/seeded-random.ts'
import { isRefusal, type Journal, type Subject } from './journal.ts'
import type { SoakWorld } from './soak-world.ts'

export interface OperationContext {
  world: SoakWorld
  journal: Journal
  roll: SeededRandom
}

export interface Operation {
  /** Its weight. */
  share: number
  /** Throws what the user would see. */
  run: (context: OperationContext) => Promise<void>
}

interface Change {
  run: () => Promise<unknown>
  /** It was acknowledged. */
  done?: () => unknown
  /** It got no answer. */
  unsure?: () => unknown
}

/** Nothing to change, or what the change may not be applied to now. */
export class Skipped extends Error {}

/** An operation on a webhook of this origin; undefined: of any. */
export function change(
  origin: Subject['origin'] | undefined,
  plan: (context: OperationContext, subject: Subject) => Change | Promise<Change>,
): Operation['run'] {
  return async (context) => {
    const subject = context.journal.pick(context.roll, origin)
    if (!subject) throw new Skipped()
    subject.isBusy = true
    try {
      await carryOut(await plan(context, subject))
    } finally {
      subject.isBusy = false
    }
  }
}

async function carryOut({ run, done, unsure }: Change): Promise<void> {
  try {
    await run()
    done?.()
  } catch (error) {
    if (!isRefusal(error)) unsure?.()
    throw error
  }
}
