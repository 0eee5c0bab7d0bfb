// The texts in the visitor's language. Components contain no texts of their own.
import { chooseLanguage, textsIn } from './choose-language.ts'

export const language = chooseLanguage(navigator.languages)
export const texts = textsIn(language)

/** Date, time and time zone in the visitor's own format. */
export function formatTime(isoTime: string): string {
  return new Intl.DateTimeFormat(navigator.languages.slice(), { dateStyle: 'long', timeStyle: 'long' }).format(new Date(isoTime))
}
