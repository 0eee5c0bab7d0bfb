// The answers about files that are valid, which stay true for the same bytes. Callers that ask about the same file at once share one check.
import type { VerificationAnswer } from './verification-thread.ts'

/** An entry takes about 1 KB. */
const MAX_FILES = 10_000

export interface VerdictCache {
  /** The kept answer about this file, or that of `verify`; only answers that it is valid are kept. `name` names the file's bytes. */
  get(name: string, verify: () => Promise<VerificationAnswer>): Promise<VerificationAnswer>
}

export function openVerdictCache(maxFiles = MAX_FILES): VerdictCache {
  const answers = new Map<string, Promise<VerificationAnswer>>()
  return {
    async get(name, verify) {
      const answer = answers.get(name) ?? verify()
      // The least recently used is the first.
      answers.delete(name)
      answers.set(name, answer)
      const [oldest] = answers.keys()
      if (answers.size > maxFiles && oldest !== undefined) answers.delete(oldest)
      let isLasting = false
      try {
        const { valid } = await answer
        isLasting = valid
      } finally {
        if (!isLasting && answers.get(name) === answer) answers.delete(name)
      }
      return answer
    },
  }
}
