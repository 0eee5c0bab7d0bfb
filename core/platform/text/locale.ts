// The languages of the pages, emails and reports.
export const LOCALES = ['en', 'de'] as const
export type Locale = (typeof LOCALES)[number]
