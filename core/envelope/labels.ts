// Labels: free key/value pairs within limits that make them safe to store, filter and print.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_LABEL_KEY_CHARACTERS, MAX_LABEL_VALUE_CHARACTERS, MAX_LABELS, MAX_LABELS_BYTES } from '#core/limits.ts'

export type Labels = Readonly<Record<string, string>>

/** The characters of a label's key. */
export const LABEL_KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/
// Names that would change an object instead of becoming its key.
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])
const CONTROL = /\p{Cc}/u

/** The labels with values in NFC. Throws LABELS_INVALID and names the label and the rule that it breaks. */
export function checkLabels(pairs: readonly (readonly [string, string])[]): Labels {
  if (pairs.length > MAX_LABELS) throw labelsInvalid(`An envelope can have at most ${MAX_LABELS} labels.`)
  const normalised = pairs.map(([key, value]) => [key, value.normalize('NFC')] as const)
  for (const [key, value] of normalised) assertLabel(key, value)
  const bytes = normalised.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  if (bytes > MAX_LABELS_BYTES) throw labelsInvalid(`The labels have ${bytes} bytes in total; the limit is ${MAX_LABELS_BYTES}.`)
  return Object.fromEntries(normalised)
}

function assertLabel(key: string, value: string): void {
  if (key.length > MAX_LABEL_KEY_CHARACTERS || !LABEL_KEY.test(key) || RESERVED.has(key)) {
    throw labelsInvalid(
      'A label key must have 1 to 63 letters, digits, ".", "_", "/" or "-", start and end with a letter or digit, and not be a reserved word.',
    )
  }
  if (Array.from(value).length > MAX_LABEL_VALUE_CHARACTERS)
    throw labelsInvalid(`The value of label ${key} is longer than 256 characters.`)
  if (CONTROL.test(value) || !value.isWellFormed())
    throw labelsInvalid(`The value of label ${key} contains a character that is not allowed.`)
}

function labelsInvalid(message: string): DomainError {
  return new DomainError('LABELS_INVALID', { message })
}
