// The message for a failed call to the panel's API.
import type { Failure } from '../../http/failure.ts'
import { failureText } from '../../locales/failure-text.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { texts } from './texts.ts'

const BY_CODE: Partial<Record<string, string>> = texts.errors.byCode

/** Says what happened and what to do; codes without a text of their own get a message by their HTTP status. */
export function panelFailureText(failure: Failure): string {
  if (failure.kind === 'network') return failureText(failure, sharedTexts)
  const ownText = Object.hasOwn(BY_CODE, failure.code) ? BY_CODE[failure.code] : undefined
  if (ownText) return ownText
  return failure.status === 403 ? texts.errors.forbidden : failureText(failure, sharedTexts)
}
