// Whether the organisation requires a second factor.
import { ChoiceInput } from '../forms/choice-input.tsx'
import { texts } from '../locales/texts.ts'

const REQUIREMENTS = (['optional', 'required'] as const).map((key) => ({
  key,
  label: texts.factor.requirements[key],
  hint: texts.factor.requirementHints[key],
}))

export function RequirementInput({ isRequired, onChange }: { isRequired: boolean; onChange: (isRequired: boolean) => void }) {
  return (
    <ChoiceInput
      label={texts.factor.requirement}
      value={isRequired ? 'required' : 'optional'}
      options={REQUIREMENTS}
      onChange={(choice) => onChange(choice === 'required')}
    />
  )
}
