// Rules of people's addresses and passwords. Passwords: length and not being guessable; no required kinds of characters, no expiry (NIST SP 800-63B-4, 3.1.1.2).
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MIN_PASSWORD_CHARACTERS } from '#core/limits.ts'

/** The most common words of leaked passwords, and this product's name. */
const COMMON = new Set(
  (
    'password passwort passw motdepasse contrasena secret default changeme temporary welcome willkommen letmein admin administrator root login ' +
    'master superman batman princess sunshine football baseball monkey dragon shadow iloveyou trustno whatever qwerty qwertz azerty abc abcd ' +
    'test guest summer winter spring autumn company signature sealwright sealwrightadmin'
  ).split(' '),
)
/** Adjacent keys and sequences: a password must not consist of a stretch of these, in either direction. */
const RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'mnbvcxzlkjhgfdsapoiuytrewq',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
]
const REPEATED = /^(.{1,6})\1+.?$/su
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
/** A shorter local part of the email address occurs in passwords by chance. */
const MIN_LOCAL_PART = 4

/** An email address for comparison: only ASCII letters are folded, as in the database. Other letters belong to different mailboxes. */
export function foldAddress(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Throws PASSWORD_TOO_WEAK with the reason. */
export function assertGoodPassword(password: string, { email }: { email: string }): void {
  const plain = password.normalize('NFKC').toLowerCase()
  if (Array.from(plain).length < MIN_PASSWORD_CHARACTERS)
    throw weak(`The password must have at least ${MIN_PASSWORD_CHARACTERS} characters.`)
  const [localPart = ''] = email.toLowerCase().split('@')
  if (localPart.length >= MIN_LOCAL_PART && plain.includes(localPart))
    throw weak('The password must not contain your email address.')
  if (isCommon(plain)) throw weak('The password is too common. Choose another one, such as four unrelated words.')
}

function isCommon(plain: string): boolean {
  const withoutEdges = plain.replaceAll(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const words = [plain, unmasked(plain), unmasked(withoutEdges)].map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
  return (
    REPEATED.test(plain) || RUNS.some((run) => run.includes(plain)) || words.some((word) => COMMON.has(withoutRepetition(word)))
  )
}

function unmasked(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (character) => LOOKALIKES[character] ?? character)
}

/** Reduces a repeated word: passwordpassword is password. No common word has more than 20 letters. */
function withoutRepetition(word: string): string {
  return word.replace(/^(.{1,20}?)\1+$/su, '$1')
}

function weak(message: string): DomainError {
  return new DomainError('PASSWORD_TOO_WEAK', { message })
}
