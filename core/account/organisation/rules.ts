// The settings that an organisation chooses itself.

/** The languages of its people and signers. */
export const LOCALES = ['en', 'de'] as const
export type Locale = (typeof LOCALES)[number]
