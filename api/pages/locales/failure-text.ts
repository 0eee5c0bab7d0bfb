// The text for a failed call. Codes that end a step are handled in signing/ceremony.ts.
import type { Failure } from '../http/failure.ts'
import type { Texts } from './en.ts'

/** A sentence that says what happened and what to do; unknown codes fall back to what their status means. */
export function failureText(failure: Failure, { failure: words }: Texts): string {
  if (failure.kind === 'network') return words.network
  return textOfCode(words.byCode, failure.code) ?? textOfStatus(failure.status, words)
}

/** The text of a code; a code such as `constructor` has none. */
export function textOfCode(byCode: Partial<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(byCode, code) ? byCode[code] : undefined
}

function textOfStatus(status: number, words: Texts['failure']): string {
  if (status === 429) return words.tooManyRequests
  return status === 502 || status === 503 || status === 504 ? words.busy : words.unexpected
}
