// A select: the browser's own control, which phones and screen readers support best.
import { useId } from 'react'

export interface SelectInputProps<Key extends string> {
  label: string
  value: Key
  options: readonly (readonly [key: Key, label: string])[]
  onChange: (value: Key) => void
}

export function SelectInput<Key extends string>({ label, value, options, onChange }: SelectInputProps<Key>) {
  const id = useId()
  const choose = (chosen: string) => {
    const option = options.find(([key]) => key === chosen)
    if (option) onChange(option[0])
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input select" value={value} onChange={(event) => choose(event.target.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
