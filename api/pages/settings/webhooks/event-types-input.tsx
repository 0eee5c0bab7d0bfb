// The event types of a webhook as checkboxes, each with a line that says when it occurs.
import { useId } from 'react'
import { EVENT_TYPES, type EventType } from '../data/records.ts'
import type { ErrorText } from '../forms/field-errors.ts'
import { texts } from '../locales/texts.ts'

export interface EventTypesInputProps {
  chosen: readonly EventType[]
  error: ErrorText | undefined
  onChange: (chosen: readonly EventType[]) => void
}

export function EventTypesInput({ chosen, error, onChange }: EventTypesInputProps) {
  const id = useId()
  const choose = (type: EventType, isChosen: boolean) =>
    onChange(EVENT_TYPES.filter((each) => (each === type ? isChosen : chosen.includes(each))))
  return (
    <fieldset className="choices event-types" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{texts.webhooks.types}</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            aria-labelledby={`${id}-${type}`}
            aria-describedby={`${id}-${type}-hint`}
            aria-invalid={error ? true : undefined}
            onChange={(event) => choose(type, event.target.checked)}
          />
          <span>
            <code id={`${id}-${type}`} className="choice-label">
              {type}
            </code>
            <span id={`${id}-${type}-hint`} className="hint">
              {texts.webhooks.eventTypes[type]}
            </span>
          </span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className="field-error" role="alert" lang={error.isEnglish ? 'en' : undefined}>
          {error.text}
        </p>
      )}
    </fieldset>
  )
}
