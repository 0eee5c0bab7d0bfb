// An action of a person, the operator or an object in Kubernetes as a sentence. Pure.
import type { Activity } from '../data/records.ts'
import type { ActivityStep } from '../locales/activity.ts'
import type { PanelTexts } from '../locales/en.ts'

/** Current names by ID; deleted records have no name. */
export interface ActivityNames {
  readonly [id: string]: string
}

/** An action without a text is shown by its code. */
export interface ActivityToTell extends Pick<Activity, 'actor' | 'person' | 'detail'> {
  action: string
}

/** An action without words of its own is shown by its name. */
export function activitySentence(activity: ActivityToTell, names: ActivityNames, texts: PanelTexts['activity']): string {
  const { action, detail } = activity
  const actor = actorOf(activity, texts)
  const steps: Partial<Record<string, ActivityStep>> = texts.steps
  const sentence = Object.hasOwn(steps, action) ? steps[action] : undefined
  return sentence ? sentence({ actor, subject: subjectOf(detail, names) }) : `${actor}: ${action}`
}

function actorOf({ actor, person, detail }: ActivityToTell, texts: PanelTexts['activity']): string {
  if (actor !== 'KUBERNETES') return person?.email ?? texts.operator
  const object = detail['object']
  return typeof object === 'string' ? texts.kubernetesObject(object) : texts.kubernetes
}

function subjectOf(detail: Activity['detail'], names: ActivityNames): string | undefined {
  const recorded = ['name', 'email', 'host'].map((key) => detail[key]).find((value) => typeof value === 'string')
  const id = ['credentialId', 'workspaceId', 'personId'].map((key) => detail[key]).find((value) => typeof value === 'string')
  if (typeof recorded === 'string') return recorded
  return typeof id === 'string' && Object.hasOwn(names, id) ? names[id] : undefined
}
