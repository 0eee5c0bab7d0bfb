// The invalid fields of a form, from the message of a VALIDATION_FAILED: "name: must not be empty; email: must be …".
import type { Failure } from '../../http/failure.ts'

/** The message for a field: the form's own or, in English, the service's. */
export interface ErrorText {
  text: string
  isEnglish: boolean
}

export type FieldErrors = Readonly<Record<string, ErrorText>>

const PART = /^([A-Za-z][\w]*)(?:\.[\w.]+)?: (.+)$/

/** Messages by field; a nested field counts for its top-level field, and the first message wins. Empty if none concerns a field. */
export function fieldErrorsOf(failure: Failure | undefined): FieldErrors {
  if (failure?.kind !== 'answer' || failure.code !== 'VALIDATION_FAILED') return {}
  const parts = (failure.message ?? '').split('; ').map((part) => PART.exec(part))
  const errors = parts.flatMap((part) =>
    part?.[1] && part[2] ? [[part[1], { text: `${part[2]}.`, isEnglish: true }] as const] : [],
  )
  return Object.fromEntries(errors.toReversed())
}

/** The form's own messages first: they are in the person's language. */
export function mergeErrors(own: Readonly<Record<string, string | undefined>>, failure: Failure | undefined): FieldErrors {
  const ownErrors = Object.entries(own).flatMap(([field, text]) => (text ? [[field, { text, isEnglish: false }] as const] : []))
  return { ...fieldErrorsOf(failure), ...Object.fromEntries(ownErrors) }
}
