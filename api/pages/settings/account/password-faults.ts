// Refusals that are about one field of the password form. Pure.
import { texts } from '../locales/texts.ts'

/** The sentence beside its field; nothing for other codes. */
export function passwordFaults(code: string | undefined): Readonly<Record<string, string>> {
  if (code === 'PASSWORD_WRONG') return { currentPassword: texts.errors.byCode.PASSWORD_WRONG }
  return code === 'PASSWORD_TOO_WEAK' ? { newPassword: texts.errors.byCode.PASSWORD_TOO_WEAK } : {}
}
