// Recognises {{signerN}} in a stream of characters, in constant memory. Both passes of the scan use this automaton, so a match in the first
// pass is a match in the second.
const OPENING = Array.from('{{signer', (character) => character.charCodeAt(0))
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const NUMBER = OPENING.length
const CLOSING = NUMBER + 1
const MAX_SIGN_ORDER = 999

export interface MarkerMatcher {
  /** Matched characters: of `{{signer`, then the number, then the first closing brace. */
  progress: number
  /** The number read so far; the marker's signOrder once `feed` has returned true. */
  signOrder: number
}

export function newMatcher(): MarkerMatcher {
  return { progress: 0, signOrder: 0 }
}

/** Takes the next UTF-16 unit and returns true when it completes a marker. N is 1 to 999 without leading zeros. */
export function feed(matcher: MarkerMatcher, unit: number): boolean {
  const { progress } = matcher
  if (progress < NUMBER) {
    matcher.progress = unit === OPENING[progress] ? progress + 1 : restart(progress, unit)
    matcher.signOrder = 0
    return false
  }
  if (progress === CLOSING) {
    matcher.progress = unit === OPEN_BRACE ? 1 : 0
    return unit === CLOSE_BRACE
  }
  readNumber(matcher, unit)
  return false
}

/** A third opening brace keeps the last two; elsewhere an opening brace starts a new match. */
function restart(progress: number, unit: number): number {
  if (unit !== OPEN_BRACE) return 0
  return progress === 2 ? 2 : 1
}

function readNumber(matcher: MarkerMatcher, unit: number): void {
  const digit = unit - 0x30
  const next = matcher.signOrder * 10 + digit
  if (digit >= 0 && digit <= 9 && next > 0 && next <= MAX_SIGN_ORDER) matcher.signOrder = next
  else if (unit === CLOSE_BRACE && matcher.signOrder > 0) matcher.progress = CLOSING
  else matcher.progress = restart(NUMBER, unit)
}
