// What the users of both sides got as answers: which webhooks there are, and which values they must have in the end.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { SeededRandom } from '../support/builders/seeded-random.ts'

export interface Subject {
  origin: 'API' | 'KUBERNETES'
  /** The id of a webhook created in the panel, the uid of an object managed in Kubernetes. */
  id: string
  /** Of the object. */
  name: string
  /** `unsure`: a deletion got no answer. `vanished`: its object was removed from etcd. */
  state: 'present' | 'deleted' | 'unsure' | 'vanished'
  isBusy: boolean
  /** The row must have one of these; more than one when a change got no answer. */
  expected: { description?: string[]; suspended?: boolean[]; disabledByAdmin?: boolean[]; lastProbeRequest?: string[] }
  /** The last request for a rotation. */
  request?: string
  /** New secrets that were acknowledged, and those that got no answer. */
  rotations: { sure: number; unsure: number }
}

export class Journal {
  readonly subjects: Subject[] = []
  /** Number of operations by name and outcome. */
  readonly counts: Record<string, { done: number; refused: number; unsure: number }> = {}
  #last = 0

  next(): number {
    this.#last += 1
    return this.#last
  }

  add(subject: Pick<Subject, 'origin' | 'id' | 'name'> & Partial<Subject>): void {
    this.subjects.push({ state: 'present', isBusy: false, expected: {}, rotations: { sure: 0, unsure: 0 }, ...subject })
  }

  present(): Subject[] {
    return this.subjects.filter(({ state }) => state === 'present')
  }

  /** One that no other operation is changing. */
  pick(roll: SeededRandom, origin?: Subject['origin']): Subject | undefined {
    const free = this.present().filter((each) => !each.isBusy && (origin === undefined || each.origin === origin))
    return free[roll(Math.max(1, free.length))]
  }

  count(operation: string, outcome: 'done' | 'refused' | 'unsure'): void {
    const counts = (this.counts[operation] ??= { done: 0, refused: 0, unsure: 0 })
    counts[outcome] += 1
  }
}

/** Whether the error says that nothing was changed. Otherwise it may have been: the answer is missing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError || (error instanceof KubeError && error.status < 500 && error.status !== 429)
}
