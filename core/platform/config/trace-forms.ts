// The forms of OpenTelemetry's variables, as its library reads them: what it would leave out, cut or replace by a default is refused.
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isDecodable } from './forms.ts'
import { readableFile } from './readable-file.ts'

/** One of these words and no other. */
export function oneOf(words: readonly string[]) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

/** The same without the blanks around it, which the library does not heed either. */
export function trimmed<Output>(shape: z.ZodType<Output, string>) {
  return z.string().trim().pipe(shape)
}

/** One of these words in whatever case. */
export function oneOfInAnyCase(words: readonly string[]) {
  return z.string().trim().toLowerCase().pipe(oneOf(words))
}

/** For a variable that would replace all others, and of which nothing could be checked. */
export const notRead = z.string().refine(() => false, 'is not supported; set the individual OTEL_* variables instead')

/** Names with commas. `none` asks for no traces when it stands alone, and is not looked at then. */
export const exporters = z
  .string()
  .refine(
    (text) => entriesOf(text).every((name) => ['otlp', 'console'].includes(name)),
    'must be otlp, console, both separated by a comma, or none',
  )

/** Where traces go by HTTP. */
export const collectorUrl = z.string().refine((text) => hasScheme(text, ['http:', 'https:']), {
  error: 'must be an http or https URL',
  abort: true,
})

/** The same, to which the library appends a path. */
export const collectorBaseUrl = collectorUrl.refine(
  (text) => !/[?#]/.test(text),
  'must be a URL without query or fragment, because a path is appended to it',
)

/** Where traces go by gRPC, which takes a host without a scheme, and a socket of this machine. */
export const collectorTarget = z
  .string()
  .refine(
    (text) => hasScheme(/^\w+:\/\//.test(text) ? text : `https://${text}`, ['http:', 'https:', 'unix:']),
    'must be an http or https URL, or host:port',
  )

function hasScheme(url: string, schemes: readonly string[]): boolean {
  return !/\s/.test(url) && schemes.includes(URL.parse(url)?.protocol ?? '')
}

export const ratio = z.string().refine((text) => Number(text) >= 0 && Number(text) <= 1, 'must be a number from 0 to 1')

/** As W3C Baggage has them, without properties behind a semicolon; the value may be a secret. */
export const headers = z
  .string()
  .refine(
    (text) =>
      pairsOf(text, /^([^=;]+)=([^;]+)$/).every(([name, value]) => /^[\w.-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)),
    'must be comma-separated name=value pairs, with commas, semicolons and percent signs in values percent-encoded',
  )

/** As OpenTelemetry has them: with one that is wrong none would count. */
export const resourceAttributes = z
  .string()
  .refine(
    (text) =>
      pairsOf(text, /^([^=]+)=([^=]*)$/).every(([name, value]) => name !== '' && name.length <= 255 && value.length <= 255),
    'must be comma-separated key=value pairs of at most 255 characters each, with commas, equals signs and percent signs percent-encoded',
  )

export const privateKey = readableFile.refine(isPrivateKey, 'refers to a file without an unencrypted PEM private key')

function isPrivateKey(file: string): boolean {
  try {
    createPrivateKey(readFileSync(file))
    return true
  } catch {
    return false // whatever else it holds, no connection can be made with it
  }
}

function entriesOf(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

/** Name and value of each entry, decoded; both are empty where an entry has not this form. */
function pairsOf(text: string, form: RegExp): [name: string, value: string][] {
  return entriesOf(text).map((entry) => {
    const [, name = '', value = ''] = isDecodable(entry) ? (form.exec(entry) ?? []) : []
    return [decodeURIComponent(name.trim()), decodeURIComponent(value.trim())]
  })
}
