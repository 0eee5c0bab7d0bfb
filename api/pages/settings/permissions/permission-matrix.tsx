// Permissions as a table: one row per workspace or person, one checkbox per permission. On narrow screens each row becomes a card.
import { type Permission, PERMISSIONS } from '../data/records.ts'
import { texts } from '../locales/texts.ts'
import { type Choices, holdsAll, withAll, withPermission } from './grants.ts'

export interface PermissionMatrixProps {
  label: string
  rows: readonly { id: string; name: string; note?: string }[]
  choices: Choices
  isDisabled: boolean
  onChange: (choices: Choices) => void
}

export function PermissionMatrix({ label, rows, choices, isDisabled, onChange }: PermissionMatrixProps) {
  return (
    <div className="matrix" role="group" aria-label={label}>
      {rows.map(({ id, name, note }) => (
        <MatrixRow
          key={id}
          name={name}
          note={note}
          held={choices[id] ?? []}
          isDisabled={isDisabled}
          onChange={(held) => onChange({ ...choices, [id]: held })}
        />
      ))}
    </div>
  )
}

interface MatrixRowProps {
  name: string
  note: string | undefined
  held: readonly Permission[]
  isDisabled: boolean
  onChange: (held: readonly Permission[]) => void
}

function MatrixRow({ name, note, held, isDisabled, onChange }: MatrixRowProps) {
  return (
    <fieldset className="matrix-row" disabled={isDisabled}>
      <legend className="visually-hidden">{name}</legend>
      <div className="matrix-name" aria-hidden="true">
        <span className="row-title">{name}</span>
        <span className="row-line">{note ?? summary(held)}</span>
      </div>
      <div className="matrix-boxes">
        <Box label={texts.permissions.all} isTicked={holdsAll(held)} onChange={(isTicked) => onChange(withAll(isTicked))} />
        {PERMISSIONS.map((permission) => (
          <Box
            key={permission}
            label={texts.permissions[permission]}
            isTicked={held.includes(permission)}
            onChange={(isTicked) => onChange(withPermission(held, permission, isTicked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Box({ label, isTicked, onChange }: { label: string; isTicked: boolean; onChange: (isTicked: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isTicked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

function summary(held: readonly Permission[]): string {
  if (held.length === 0) return texts.permissions.none
  return holdsAll(held) ? texts.permissions.everything : held.map((permission) => texts.permissions[permission]).join(', ')
}
