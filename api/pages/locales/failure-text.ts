// What a person is told about a failed call. Codes that end a step never come here; see signing/ceremony.ts.
import type { Failure } from '../http/failure.ts'
import type { Texts } from './en.ts'

/** A sentence that says what happened and what to do; unknown codes fall back to what their status means. */
export function failureText(failure: Failure, { failure: words }: Texts): string {
  if (failure.kind === 'network') return words.network
  const byCode: Partial<Record<string, string>> = words.byCode
  const ownText = Object.hasOwn(byCode, failure.code) ? byCode[failure.code] : undefined
  return ownText ?? textOfStatus(failure.status, words)
}

function textOfStatus(status: number, words: Texts['failure']): string {
  if (status === 429) return words.tooManyRequests
  return status === 502 || status === 503 || status === 504 ? words.busy : words.unexpected
}
