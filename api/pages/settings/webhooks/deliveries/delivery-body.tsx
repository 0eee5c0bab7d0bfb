// The body of a delivery: the exact text that is signed, or on request formatted for reading.
import { useState } from 'react'
import { Section } from '../../frame/area.tsx'
import { CopyButton } from '../../frame/copy-button.tsx'
import { texts } from '../../locales/texts.ts'
import { prettyJson } from './pretty-json.ts'

export function DeliveryBody({ body }: { body: string | null }) {
  const [isPretty, setPretty] = useState(false)
  if (body === null)
    return (
      <Section title={texts.deliveries.body}>
        <p className="muted">{texts.deliveries.bodyMissing}</p>
      </Section>
    )
  return (
    <Section
      title={texts.deliveries.body}
      hint={isPretty ? texts.deliveries.prettyHint : texts.deliveries.bodyHint}
      actions={
        <label className="check">
          <input type="checkbox" checked={isPretty} onChange={(event) => setPretty(event.target.checked)} />
          {texts.deliveries.pretty}
        </label>
      }
    >
      <div className="copy-box body-box">
        <pre>
          <code>{isPretty ? prettyJson(body) : body}</code>
        </pre>
        <CopyButton text={body} label={texts.deliveries.bodyLabel} />
      </div>
    </Section>
  )
}
