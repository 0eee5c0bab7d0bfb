// The account's second factor: set up, get new recovery codes, remove.
import { Notice } from '../../components/notice.tsx'
import type { Factor } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Section } from '../frame/area.tsx'
import { useFlash } from '../frame/flash.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { BeginForm } from './begin-form.tsx'
import { ConfirmBegun } from './confirm-begun.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveFactorButton } from './remove-factor-button.tsx'
import { RenewCodesButton } from './renew-codes-button.tsx'
import { useSetUp } from './use-set-up.ts'

const FEW_CODES = 3

export function FactorSection() {
  const factor = useResource<Factor>('/factor')
  return (
    <Section title={texts.factor.title} hint={texts.factor.hint}>
      <ResourceView resource={factor}>
        {(state) => (state.set ? <SetFactor factor={state} resource={factor} /> : <SetUpFactor resource={factor} />)}
      </ResourceView>
    </Section>
  )
}

function SetFactor({ factor, resource }: { factor: Factor; resource: Resource<Factor> }) {
  const onChange = () => void resource.reload()
  return (
    <>
      <p className="pills">
        <Pill tone="success">{texts.factor.on}</Pill>
        <span className="muted">{texts.factor.left(factor.recoveryCodesLeft)}</span>
      </p>
      {factor.recoveryCodesLeft <= FEW_CODES && <Notice tone="warning">{texts.factor.fewLeft}</Notice>}
      <div className="button-row">
        <RenewCodesButton onChange={onChange} />
        <RemoveFactorButton onRemoved={onChange} />
      </div>
    </>
  )
}

function SetUpFactor({ resource }: { resource: Resource<Factor> }) {
  const say = useFlash()
  const { begin, current, confirm, end } = useSetUp()
  const finish = () => {
    end()
    say(texts.factor.isSetUp)
    void resource.reload()
  }
  return (
    <>
      <BeginForm begin={begin} />
      {current?.step === 'begun' && (
        <PanelDialog title={texts.factor.setUpTitle} onClose={end}>
          <ConfirmBegun begun={current.begun} onConfirmed={confirm} onCancel={end} />
        </PanelDialog>
      )}
      {current?.step === 'confirmed' && (
        <PanelDialog title={texts.factor.codesTitle}>
          <RecoveryCodes codes={current.recoveryCodes} onStored={finish} />
        </PanelDialog>
      )}
    </>
  )
}
