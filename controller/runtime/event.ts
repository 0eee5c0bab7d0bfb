// The Event object of events.k8s.io/v1. Pure.
import type { KubeMetadata, KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { apiVersionOf } from './stored-object.ts'
import { microTime } from './wire-time.ts'

export const EVENTS = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event' }

export interface RecordedEvent {
  /** The object that the event is about. */
  regarding: KubeObject
  type: 'Normal' | 'Warning'
  /** Why: one of a short list, in UpperCamelCase. */
  reason: string
  /** What the controller did, in UpperCamelCase. */
  action: string
  /** The sentence for people. */
  note: string
}

export interface EventSource {
  /** For example `sealwright.io/controller`. */
  controller: string
  /** The process. */
  instance: string
}

export interface EventObject extends KubeObject {
  metadata: KubeMetadata & { namespace: string }
}

/** Limits of the API server. */
const LONGEST_NAME = 253
const LONGEST_NOTE_BYTES = 1024
const LONGEST_WORD = 128
const ELLIPSIS = '…'

/** Identifies equal events about one object. */
export function eventKey({ regarding: { kind, metadata }, type, reason, action, note }: RecordedEvent): string {
  const { uid, namespace = '', name } = metadata
  return JSON.stringify([uid ?? `${kind}/${namespace}/${name}`, type, reason, action, note])
}

/** The object to create for the event; `suffix` makes its name unique. */
export function newEventObject(
  event: RecordedEvent,
  source: EventSource,
  { suffix, at }: { suffix: string; at: Date },
): EventObject {
  const { apiVersion, kind, metadata } = event.regarding
  const { namespace = 'default', name, uid, resourceVersion } = metadata
  const content = {
    eventTime: microTime(at),
    reportingController: source.controller,
    reportingInstance: source.instance.slice(0, LONGEST_WORD),
    action: event.action.slice(0, LONGEST_WORD),
    reason: event.reason.slice(0, LONGEST_WORD),
    regarding: { apiVersion, kind, namespace, name, uid, resourceVersion },
    note: shortened(event.note, LONGEST_NOTE_BYTES),
    type: event.type,
  }
  const eventName = `${name.slice(0, LONGEST_NAME - suffix.length - 1)}.${suffix}`
  return { apiVersion: apiVersionOf(EVENTS), kind: EVENTS.kind, metadata: { name: eventName, namespace }, ...content }
}

/** The text in at most this many bytes of UTF-8. */
export function shortened(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  let end = mostBytes - Buffer.byteLength(ELLIPSIS)
  // Not within a character: its following bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString() + ELLIPSIS
}
