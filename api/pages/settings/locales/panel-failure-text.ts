// What a failed call to the panel's interface means, in words.
import type { Failure } from '../../http/failure.ts'
import { failureText } from '../../locales/failure-text.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { texts } from './texts.ts'

const BY_CODE: Partial<Record<string, string>> = texts.errors.byCode

/** A sentence that says what happened and what to do; codes without one of their own fall back to what their status means. */
export function panelFailureText(failure: Failure): string {
  if (failure.kind === 'network') return failureText(failure, sharedTexts)
  const ownWords = Object.hasOwn(BY_CODE, failure.code) ? BY_CODE[failure.code] : undefined
  if (ownWords) return ownWords
  return failure.status === 403 ? texts.errors.forbidden : failureText(failure, sharedTexts)
}
