// The settings of the whole organisation, for admins.
import { useState } from 'react'
import type { Organisation } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { RequirementInput } from '../factor/requirement-input.tsx'
import { mergeErrors } from '../forms/field-errors.ts'
import { nameError } from '../forms/field-rules.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { SelectInput } from '../forms/select-input.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { Area } from '../frame/area.tsx'
import { CopyField } from '../frame/copy-button.tsx'
import { useFlash } from '../frame/flash.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { MAX_RETENTION_DAYS, MIN_RETENTION_DAYS, readRetentionDays } from './retention-days.ts'

export function OrganisationArea() {
  const organisation = useResource<Organisation>('/organisation')
  return (
    <Area title={texts.organisation.title} lead={texts.organisation.lead}>
      <ResourceView resource={organisation}>
        {(record) => (
          <div className="sheet">
            <OrganisationForm organisation={record} onSaved={organisation.put} />
            <CopyField label={texts.organisation.id} text={record.id} />
          </div>
        )}
      </ResourceView>
    </Area>
  )
}

interface OrganisationFormProps {
  organisation: Organisation
  onSaved: (organisation: Organisation) => void
}

function OrganisationForm({ organisation, onSaved }: OrganisationFormProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [name, setName] = useState(organisation.name)
  const [locale, setLocale] = useState(organisation.locale)
  const [daysText, setDaysText] = useState(organisation.retentionDays?.toString() ?? '')
  const [requireSecondFactor, setRequired] = useState(organisation.requireSecondFactor)
  const [isTried, setTried] = useState(false)
  const retentionDays = readRetentionDays(daysText)
  const save = useAction(
    () =>
      store.call<Organisation>({
        method: 'PATCH',
        path: '/organisation',
        body: { name, locale, retentionDays: retentionDays ?? null, requireSecondFactor },
      }),
    (saved) => {
      say(texts.organisation.saved)
      store.update((session) => ({ ...session, organisation: { id: saved.id, name: saved.name } }))
      onSaved(saved)
    },
  )
  const own = {
    name: nameError(name),
    retentionDays:
      retentionDays === undefined ? texts.organisation.retentionInvalid(MIN_RETENTION_DAYS, MAX_RETENTION_DAYS) : undefined,
  }
  const errors = mergeErrors(isTried ? own : {}, save.failure)
  const submit = () => {
    setTried(true)
    if (!own.name && !own.retentionDays) void save.run()
  }
  return (
    <PanelForm errors={errors} failure={save.failure} submit={texts.words.save} isRunning={save.isRunning} onSubmit={submit}>
      <TextInput
        label={texts.organisation.name}
        hint={texts.organisation.nameHint}
        value={name}
        onChange={setName}
        error={errors['name']}
      />
      <LocaleInput locale={locale} onChange={setLocale} />
      <TextInput
        label={texts.organisation.retention}
        hint={texts.organisation.retentionHint(MIN_RETENTION_DAYS, MAX_RETENTION_DAYS)}
        value={daysText}
        onChange={setDaysText}
        error={errors['retentionDays']}
        inputMode="numeric"
      />
      <RequirementInput isRequired={requireSecondFactor} onChange={setRequired} />
    </PanelForm>
  )
}

function LocaleInput({
  locale,
  onChange,
}: {
  locale: Organisation['locale']
  onChange: (locale: Organisation['locale']) => void
}) {
  return (
    <SelectInput
      label={texts.organisation.locale}
      value={locale}
      options={[
        ['en', texts.organisation.locales.en],
        ['de', texts.organisation.locales.de],
      ]}
      onChange={onChange}
    />
  )
}
