// Shows new recovery codes once, to copy, save or print.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { saveFile } from '../../http/save-file.ts'
import { CopyButton } from '../frame/copy-button.tsx'
import { texts } from '../locales/texts.ts'

export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), texts.factor.filename)
  return (
    <div className="recovery-codes">
      <Notice tone="warning">{texts.factor.codesBody}</Notice>
      <ol aria-label={texts.factor.codesOf}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="button-row">
        <ActionButton look="secondary" onPress={save}>
          {texts.factor.download}
        </ActionButton>
        <ActionButton look="secondary" onPress={() => window.print()}>
          {texts.factor.print}
        </ActionButton>
        <CopyButton text={text} label={texts.factor.codesOf} />
      </div>
      <div className="button-row dialog-buttons">
        <ActionButton look="primary" onPress={onStored}>
          {texts.factor.saved}
        </ActionButton>
      </div>
    </div>
  )
}
