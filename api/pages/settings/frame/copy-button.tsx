// Copies a text and says so, on the button and aloud.
import { useEffect, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import { texts } from '../locales/texts.ts'

const SHOWN_MS = 2_500

/** `label` names what is copied. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <>
      <ActionButton look="icon" aria-label={texts.words.copyOf(label)} onPress={() => void copy().catch(() => setCopied(false))}>
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </ActionButton>
      <span className="visually-hidden" role="status">
        {isCopied ? texts.words.copied : ''}
      </span>
    </>
  )
}

/** A text to be taken elsewhere: shown whole, selected by one click, with its button. */
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
