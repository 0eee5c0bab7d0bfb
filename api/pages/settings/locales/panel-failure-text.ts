// What a failed call to the panel's interface means, in words.
import type { Failure } from '../../http/failure.ts'
import { failureText, textOfCode } from '../../locales/failure-text.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { texts } from './texts.ts'

/** A sentence that says what happened and what to do; codes without one of their own fall back to what their status means. */
export function panelFailureText(failure: Failure): string {
  if (failure.kind === 'network') return failureText(failure, sharedTexts)
  const ownText = textOfCode(texts.errors.byCode, failure.code)
  if (ownText) return ownText
  return failure.status === 403 ? texts.errors.forbidden : failureText(failure, sharedTexts)
}
