// Chooses the language of the pages by the visitor's preferences.
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const LANGUAGES: Record<string, Texts> = { en, de }
const FALLBACK_LANGUAGE = 'en'

/** The first supported language of `wanted` (BCP 47 tags in order of preference); English if none is supported. */
export function chooseLanguage(wanted: readonly string[]): string {
  const languages = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return languages.find((language) => Object.hasOwn(LANGUAGES, language)) ?? FALLBACK_LANGUAGE
}

/** The texts of a language that `chooseLanguage` returned. */
export function textsIn(language: string): Texts {
  return LANGUAGES[language] ?? en
}
