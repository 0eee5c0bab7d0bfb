// An action of a person or the operator as a sentence. Pure.
import type { Activity } from '../data/records.ts'
import type { ActivityStep } from '../locales/activity.ts'
import type { PanelTexts } from '../locales/en.ts'

/** Current names by ID; deleted records have no name. */
export interface ActivityNames {
  readonly [id: string]: string
}

/** An action without a text is shown by its code. */
export interface ActivityToTell extends Pick<Activity, 'person' | 'detail'> {
  action: string
}

/** An action without words of its own is shown by its name. */
export function activitySentence(activity: ActivityToTell, names: ActivityNames, texts: PanelTexts['activity']): string {
  const { action, person, detail } = activity
  const actor = person?.email ?? texts.operator
  const steps: Partial<Record<string, ActivityStep>> = texts.steps
  const sentence = Object.hasOwn(steps, action) ? steps[action] : undefined
  return sentence ? sentence({ actor, subject: subjectOf(detail, names) }) : `${actor}: ${action}`
}

function subjectOf(detail: Activity['detail'], names: ActivityNames): string | undefined {
  const recorded = ['name', 'email', 'host'].map((key) => detail[key]).find((value) => typeof value === 'string')
  const id = ['credentialId', 'workspaceId', 'personId'].map((key) => detail[key]).find((value) => typeof value === 'string')
  if (typeof recorded === 'string') return recorded
  return typeof id === 'string' && Object.hasOwn(names, id) ? names[id] : undefined
}
