// What a failed call means to the person on a page, in both languages. A code without words of its own falls back to what its status means.
import type { ErrorCode } from '../../schemas/error.ts'

export const enFailures = {
  network: 'There was no answer. Please check your internet connection, then try again.',
  busy: 'The service is busy right now. Please try again shortly.',
  tooManyRequests: 'That was a lot of requests in a short time. Please wait a moment.',
  unexpected: 'Something went wrong on our side. Please try again.',
  byCode: {
    OTP_SEND_LIMIT: 'No more codes can be sent for this link at the moment. Please try again later.',
    OTP_PAUSED: 'There were too many wrong codes. For your safety this link takes no codes for a while.',
    OTP_CHALLENGE_NOT_FOUND: 'This code no longer belongs to the link. Please ask for a new one.',
    SIGNATURE_IMAGE_INVALID:
      'Your signature could not be used: it may be empty or too pale to see. Please clear it and draw or type it again.',
    VIEW_REQUIRED: 'The service has not yet noted that you opened the documents. Please try again.',
  } satisfies Partial<Record<ErrorCode, string>>,
}

export const deFailures: typeof enFailures = {
  network: 'Es kam keine Antwort. Bitte prüfen Sie die Internetverbindung und versuchen Sie es erneut.',
  busy: 'Der Dienst ist gerade ausgelastet. Bitte versuchen Sie es gleich noch einmal.',
  tooManyRequests: 'Das waren viele Anfragen in kurzer Zeit. Bitte warten Sie einen Moment.',
  unexpected: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  byCode: {
    OTP_SEND_LIMIT: 'Für diesen Link können zurzeit keine weiteren Codes verschickt werden. Bitte versuchen Sie es später.',
    OTP_PAUSED: 'Es gab zu viele falsche Codes. Zu Ihrer Sicherheit nimmt dieser Link eine Zeit lang keine Codes an.',
    OTP_CHALLENGE_NOT_FOUND: 'Dieser Code gehört nicht mehr zu diesem Link. Bitte fordern Sie einen neuen an.',
    SIGNATURE_IMAGE_INVALID:
      'Ihre Unterschrift konnte nicht verwendet werden: Vielleicht ist sie leer oder zu blass. Bitte löschen Sie sie und zeichnen oder tippen Sie sie neu.',
    VIEW_REQUIRED: 'Der Dienst hat noch nicht vermerkt, dass Sie die Dokumente geöffnet haben. Bitte versuchen Sie es erneut.',
  },
}
