// The texts of a language.
import type { Locale } from '#core/account/organisation/rules.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { ReportTexts } from './texts.ts'

const TEXTS: Record<Locale, ReportTexts> = { en, de }

/** What an audit report says in this language. */
export function reportTexts(locale: Locale): ReportTexts {
  return TEXTS[locale]
}
