// The sentences of the language this visitor reads. Components take them from here and hold none themselves.
import { chooseLanguage, textsIn } from './choose-language.ts'

export const language = chooseLanguage(navigator.languages)
export const texts = textsIn(language)

/** A point in time for people: date, time and zone, in the visitor's own format. */
export function formatTime(isoTime: string): string {
  return new Intl.DateTimeFormat(navigator.languages.slice(), { dateStyle: 'long', timeStyle: 'long' }).format(new Date(isoTime))
}
