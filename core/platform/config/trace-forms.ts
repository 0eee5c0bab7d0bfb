// Formats of OpenTelemetry's variables, as its library reads them: values that it would drop, cut or replace by a default are rejected.
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isDecodable } from './forms.ts'
import { readableFile } from './readable-file.ts'

/** One of these words. */
export function oneOf(words: readonly string[]) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

/** Parses a value without surrounding blanks, which the library ignores too. */
export function trimmed<Output>(shape: z.ZodType<Output, string>) {
  return z.string().trim().pipe(shape)
}

/** One of these words in any case. */
export function oneOfInAnyCase(words: readonly string[]) {
  return z.string().trim().toLowerCase().pipe(oneOf(words))
}

/** For a variable that would replace all others and cannot be checked. */
export const notRead = z.string().refine(() => false, 'is not supported; set the individual OTEL_* variables instead')

/** Names separated by commas. `none` alone switches traces off, and is not checked then. */
export const exporters = z
  .string()
  .refine(
    (text) => entriesOf(text).every((name) => ['otlp', 'console'].includes(name)),
    'must be otlp, console, both separated by a comma, or none',
  )

/** The HTTP address of a collector. */
export const collectorUrl = z.string().refine((text) => hasScheme(text, ['http:', 'https:']), {
  error: 'must be an http or https URL',
  abort: true,
})

/** Base URL of a collector, to which the library appends a path. */
export const collectorBaseUrl = collectorUrl.refine(
  (text) => !/[?#]/.test(text),
  'must be a URL without query or fragment, because a path is appended to it',
)

/** The gRPC address of a collector: a host without a scheme, or a local socket. */
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

/** W3C Baggage without properties after a semicolon; the value may be a secret. */
export const headers = z
  .string()
  .refine(
    (text) =>
      pairsOf(text, /^([^=;]+)=([^;]+)$/).every(([name, value]) => /^[\w.-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)),
    'must be comma-separated name=value pairs, with commas, semicolons and percent signs in values percent-encoded',
  )

/** OpenTelemetry's format; one invalid entry would make the library ignore all. */
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
    return false // in any other format no connection can be made with it
  }
}

function entriesOf(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

/** Name and value of each entry, decoded; both are empty where an entry has another format. */
function pairsOf(text: string, form: RegExp): [name: string, value: string][] {
  return entriesOf(text).map((entry) => {
    const [, name = '', value = ''] = isDecodable(entry) ? (form.exec(entry) ?? []) : []
    return [decodeURIComponent(name.trim()), decodeURIComponent(value.trim())]
  })
}
