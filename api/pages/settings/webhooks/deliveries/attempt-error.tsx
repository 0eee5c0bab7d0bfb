// Why an attempt failed, in the person's language; in English, the sentence of the service.
import { language } from '../../../locales/texts.ts'
import { texts } from '../../locales/texts.ts'
import { failureSentence, type AttemptFailureFields } from './failure-sentence.ts'

export interface AttemptErrorProps {
  error: AttemptFailureFields
}

export function AttemptError({ error }: AttemptErrorProps) {
  const own = failureSentence(texts.deliveries.errors, error)
  if (language === 'en' || own === undefined) return <p lang="en">{error.error ?? own}</p>
  return <p>{own}</p>
}
