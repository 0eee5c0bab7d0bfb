import type { Locale } from '#core/platform/text/locale.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { ReportTexts } from './texts.ts'

const TEXTS: Record<Locale, ReportTexts> = { en, de }

/** The texts of an audit report in this language. */
export function reportTexts(locale: Locale): ReportTexts {
  return TEXTS[locale]
}
