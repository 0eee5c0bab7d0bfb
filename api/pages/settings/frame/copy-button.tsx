// Copies a text and confirms it visually and to screen readers.
import { useEffect, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import { texts } from '../locales/texts.ts'

const SHOWN_MS = 2_500

/** `label` names the copied text. If the browser forbids copying, such as on a page without TLS, the button says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result !== 'copied') return undefined
    const timer = window.setTimeout(() => setResult(undefined), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [result])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setResult('copied')
    } catch {
      setResult('failed')
    }
  }
  return (
    <>
      <ActionButton look="icon" aria-label={texts.words.copyOf(label)} onPress={() => void copy()}>
        {result === 'copied' ? <CheckIcon /> : <CopyIcon />}
      </ActionButton>
      <span className={result === 'failed' ? 'copy-failed' : 'visually-hidden'} role="status">
        {result === 'copied' && texts.words.copied}
        {result === 'failed' && texts.words.copyFailed}
      </span>
    </>
  )
}

/** A text to copy: shown in full, selected by one click, with a copy button. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div className="copy-field">
      <span className="copy-label">{label}</span>
      <div className="copy-box">
        <code>{text}</code>
        <CopyButton text={text} label={label} />
      </div>
    </div>
  )
}
