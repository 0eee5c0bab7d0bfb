// What a failed call means to the person on a page, in both languages. A code without words of its own falls back to what its status means.
import type { ErrorCode } from '../../schemas/error.ts'

export const enFailures = {
  network: 'The service did not respond. Please check your internet connection and try again.',
  busy: 'The service is busy. Please try again shortly.',
  tooManyRequests: 'Too many requests. Please wait a moment and try again.',
  unexpected: 'Something went wrong on our side. Please try again.',
  byCode: {
    OTP_SEND_LIMIT: 'No more codes can be sent for this link right now. Please try again later.',
    OTP_PAUSED: 'Too many incorrect codes. For your security, this link is locked for up to an hour.',
    OTP_CHALLENGE_NOT_FOUND: 'This code is no longer valid for this link. Please request a new one.',
    SIGNATURE_IMAGE_INVALID: 'Your signature could not be used. Please clear it and draw or type it again.',
    VIEW_REQUIRED: 'We have not yet recorded that you opened the documents. Please try again.',
  } satisfies Partial<Record<ErrorCode, string>>,
}

export const deFailures: typeof enFailures = {
  network: 'Der Dienst hat nicht geantwortet. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
  busy: 'Der Dienst ist gerade ausgelastet. Bitte versuchen Sie es gleich erneut.',
  tooManyRequests: 'Zu viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es erneut.',
  unexpected: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  byCode: {
    OTP_SEND_LIMIT: 'Für diesen Link können zurzeit keine weiteren Codes gesendet werden. Bitte versuchen Sie es später erneut.',
    OTP_PAUSED: 'Zu viele falsche Codes. Zu Ihrer Sicherheit ist dieser Link für bis zu eine Stunde gesperrt.',
    OTP_CHALLENGE_NOT_FOUND: 'Dieser Code ist für diesen Link nicht mehr gültig. Bitte fordern Sie einen neuen an.',
    SIGNATURE_IMAGE_INVALID:
      'Ihre Unterschrift konnte nicht übernommen werden. Bitte löschen Sie sie und zeichnen oder tippen Sie sie neu.',
    VIEW_REQUIRED: 'Es ist noch nicht vermerkt, dass Sie die Dokumente geöffnet haben. Bitte versuchen Sie es erneut.',
  },
}
