// The sentence of a failed attempt.

export interface AttemptFailureFields {
  error?: string | undefined
  errorCode?: string | undefined
  errorDetail?: string | undefined
}

/** Sentence in the language of these texts; undefined for a code that they do not have. */
export function failureSentence(
  sentences: Readonly<Record<string, string | ((detail: string) => string)>>,
  { errorCode = '', errorDetail = '' }: AttemptFailureFields,
): string | undefined {
  const sentence = Object.hasOwn(sentences, errorCode) ? sentences[errorCode] : undefined
  return typeof sentence === 'function' ? sentence(errorDetail) : sentence
}
