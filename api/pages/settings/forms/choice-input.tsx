// A radio group whose options have descriptions.
import { useId } from 'react'

export interface ChoiceInputProps<Key extends string> {
  label: string
  value: Key
  options: readonly { key: Key; label: string; hint: string }[]
  onChange: (value: Key) => void
}

export function ChoiceInput<Key extends string>({ label, value, options, onChange }: ChoiceInputProps<Key>) {
  const name = useId()
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.key} className="choice">
          <input
            type="radio"
            name={name}
            checked={option.key === value}
            aria-labelledby={`${name}-${option.key}`}
            aria-describedby={`${name}-${option.key}-hint`}
            onChange={() => onChange(option.key)}
          />
          <span>
            <span id={`${name}-${option.key}`} className="choice-label">
              {option.label}
            </span>
            <span id={`${name}-${option.key}-hint`} className="hint">
              {option.hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
