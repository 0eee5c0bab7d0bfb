// Composes the two bodies of an email, text and HTML, from the same words.
import type { Html } from '#core/platform/text/html.ts'
import { toVisibleText } from '#core/platform/text/visible-text.ts'
import { action, layout, oneTimeCode, paragraph, quotation } from './layout.ts'
import type { MailTexts, MailWords, Part } from './locales/texts.ts'
import type { MailContent } from './mail-transport.ts'
import { type Sentence, toHtml, toPlainText, type UserText } from './sentence.ts'

/** The content of an email. A quotation without visible characters is left out, with the sentence that introduces it. */
export function composeMail(texts: MailTexts, recipient: UserText, words: MailWords): MailContent {
  const parts = [texts.hello(recipient), ...words.body]
  return {
    subject: toPlainText(words.subject),
    text: [...parts.flatMap((part) => textOf(part)), ...words.notes.map((note) => toPlainText(note)), '-- \nSealwright\n'].join(
      '\n\n',
    ),
    html: layout({
      language: texts.language,
      preview: toPlainText(words.preview),
      heading: toHtml(words.heading),
      body: parts.flatMap((part) => htmlOf(part, texts)),
      notes: words.notes.map((note) => toHtml(note)),
    }),
  }
}

function textOf(part: Part): string[] {
  if (isSentence(part)) return [toPlainText(part)]
  if ('code' in part) return [`    ${part.code}`]
  if ('link' in part) return [`${part.label}:\n${part.link}`]
  const quoted = toVisibleText(part.quoted)
  return quoted ? [`${toPlainText(part.introduction)}\n${quoted.replaceAll(/^/gm, '> ')}`] : []
}

function htmlOf(part: Part, { orCopyLink }: MailTexts): Html[] {
  if (isSentence(part)) return [paragraph(toHtml(part))]
  if ('code' in part) return [oneTimeCode(part.code)]
  if ('link' in part) return [action(part.label, part.link, orCopyLink)]
  const quoted = toVisibleText(part.quoted)
  return quoted ? [paragraph(toHtml(part.introduction)), quotation(quoted)] : []
}

function isSentence(part: Part): part is Sentence {
  return typeof part === 'string' || Array.isArray(part)
}
