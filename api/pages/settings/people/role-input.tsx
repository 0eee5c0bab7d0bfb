// The role of a person, with descriptions.
import type { Person } from '../data/records.ts'
import { ChoiceInput } from '../forms/choice-input.tsx'
import { texts } from '../locales/texts.ts'

const ROLES = (['MEMBER', 'ADMIN'] as const).map((key) => ({
  key,
  label: texts.frame.roles[key],
  hint: texts.people.roleHints[key],
}))

export function RoleInput({ role, onChange }: { role: Person['role']; onChange: (role: Person['role']) => void }) {
  return <ChoiceInput label={texts.people.role} value={role} options={ROLES} onChange={onChange} />
}
