// Why an attempt failed, in the person's language. The service's own sentence is in English and may name more, such as the day.
import { language } from '../../../locales/texts.ts'
import { texts } from '../../locales/texts.ts'

export interface AttemptErrorProps {
  error: { error?: string | undefined; errorCode?: string | undefined }
}

export function AttemptError({ error: { error, errorCode = '' } }: AttemptErrorProps) {
  const own = Object.hasOwn(texts.deliveries.errors, errorCode) ? texts.deliveries.errors[errorCode] : undefined
  if (language === 'en' || own === undefined) return <p lang="en">{error ?? own}</p>
  return <p>{own}</p>
}
