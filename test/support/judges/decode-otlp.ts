// Decodes both encodings of OTLP over HTTP to its JSON form.
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const schema = protobuf.parse(readFileSync(new URL('otlp-traces.proto', import.meta.url), 'utf8')).root
const request = schema.lookupType('ExportTraceServiceRequest')
const IDS = new Set(['traceId', 'spanId', 'parentSpanId'])

/** Decodes a body of media type `type`. Throws for unknown types. */
export function decodeOtlp(type: string | undefined, body: Buffer): unknown {
  if (type === 'application/json') return JSON.parse(body.toString())
  if (type !== 'application/x-protobuf') throw new Error(`OTLP over HTTP is not sent as ${type}.`)
  const decoded = request.toObject(request.decode(body), { longs: String, bytes: String })
  // JSON has ids in hexadecimal, and other bytes in base64.
  const toHex = (key: string, value: unknown): unknown =>
    IDS.has(key) ? Buffer.from(String(value), 'base64').toString('hex') : value
  return JSON.parse(JSON.stringify(decoded), toHex)
}
