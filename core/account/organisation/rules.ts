// What an organisation may choose for itself.

/** Languages that its people and signers are written to in. */
export const LOCALES = ['en', 'de'] as const
export type Locale = (typeof LOCALES)[number]
