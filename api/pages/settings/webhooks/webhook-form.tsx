// URL, description and event types of a new or existing webhook.
import { useState } from 'react'
import type { Failure } from '../../http/failure.ts'
import type { EventType } from '../data/records.ts'
import type { Action } from '../data/use-action.ts'
import { type FieldErrors, mergeErrors } from '../forms/field-errors.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import { EventTypesInput } from './event-types-input.tsx'

export interface WebhookInput {
  url: string
  description: string
  eventTypes: readonly EventType[]
}

export interface WebhookFormProps {
  initial: WebhookInput
  submit: string
  action: Action<WebhookInput>
}

export function WebhookForm({ initial, submit, action }: WebhookFormProps) {
  const [url, setUrl] = useState(initial.url)
  const [description, setDescription] = useState(initial.description)
  const [eventTypes, setEventTypes] = useState(initial.eventTypes)
  const [isTried, setTried] = useState(false)
  const own = {
    url: url.trim() === '' ? texts.words.required : undefined,
    eventTypes: eventTypes.length === 0 ? texts.webhooks.nothingChosen : undefined,
  }
  const errors = { ...refusalOf(action.failure), ...mergeErrors(isTried ? own : {}, action.failure) }
  const save = () => {
    setTried(true)
    if (!own.url && !own.eventTypes) void action.run({ url: url.trim(), description: description.trim(), eventTypes })
  }
  return (
    <PanelForm errors={errors} failure={action.failure} submit={submit} isRunning={action.isRunning} onSubmit={save}>
      <TextInput
        label={texts.webhooks.url}
        hint={texts.webhooks.urlHint}
        type="url"
        value={url}
        onChange={setUrl}
        error={errors['url']}
      />
      <TextInput
        label={texts.webhooks.description}
        hint={texts.webhooks.descriptionHint}
        value={description}
        onChange={setDescription}
        error={errors['description']}
      />
      <EventTypesInput chosen={eventTypes} error={errors['eventTypes']} onChange={setEventTypes} />
    </PanelForm>
  )
}

/** Why deliveries can't be made to the URL, in the service's own words. */
function refusalOf(failure: Failure | undefined): FieldErrors {
  if (failure?.kind !== 'answer' || failure.code !== 'WEBHOOK_URL_REFUSED' || !failure.message) return {}
  return { url: { text: failure.message, isEnglish: true } }
}
