// Which of the languages there are texts for a visitor gets.
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const LANGUAGES: Record<string, Texts> = { en, de }
const FALLBACK_LANGUAGE = 'en'

/** The first of the wanted languages (BCP 47 tags, most wanted first) that there are texts for; English if none. */
export function chooseLanguage(wanted: readonly string[]): string {
  const languages = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return languages.find((language) => Object.hasOwn(LANGUAGES, language)) ?? FALLBACK_LANGUAGE
}

/** The texts of a language that chooseLanguage gave. */
export function textsIn(language: string): Texts {
  return LANGUAGES[language] ?? en
}
