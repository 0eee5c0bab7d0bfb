// Times in the forms that the API server accepts.

/** `metav1.Time`: whole seconds. A fraction would be cut off by the server, and the object would then differ from what was written. */
export function secondTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** `metav1.MicroTime`: exactly six decimals; the server refuses three. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}
