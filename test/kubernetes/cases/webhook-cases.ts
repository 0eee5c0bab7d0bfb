// The rules of WebhookSubscription.
import { OTHER_ORG_ID, webhookSpec } from '../../support/builders/custom-resources.ts'
import type { Case, Change } from './case.ts'

const url = (value: string) => webhookSpec({ url: value })

export const WEBHOOKS: Case[] = [
  { rule: 'orgId is a uuid', accepted: webhookSpec(), refused: webhookSpec({ orgId: 'acme' }), because: 'spec.orgId' },
  {
    rule: 'orgId is required',
    accepted: webhookSpec(),
    refused: { url: 'https://hooks.example.com/', events: ['envelope.sent'] },
    because: 'spec.orgId: Required value',
  },
  {
    rule: 'origin is API or Kubernetes',
    accepted: webhookSpec({ origin: 'API' }),
    refused: { ...webhookSpec(), origin: 'Panel' },
    because: 'spec.origin: Unsupported value',
  },
  { rule: 'url is https', accepted: url('https://a.example'), refused: url('http://a.example'), because: 'spec.url' },
  {
    rule: 'url may have a port',
    accepted: url('https://a.example:65535'),
    refused: url('https://a.example:65536'),
    because: 'spec.url',
  },
  {
    rule: 'url has no port 0',
    accepted: url('https://a.example:443/x'),
    refused: url('https://a.example:0/x'),
    because: 'spec.url',
  },
  { rule: 'url has no user', accepted: url('https://a.example/@b'), refused: url('https://u:p@a.example/'), because: 'no user' },
  {
    rule: 'url has no fragment',
    accepted: url('https://a.example/?q=1'),
    refused: url('https://a.example/#x'),
    because: 'no fragment',
  },
  {
    rule: 'url has no white space',
    accepted: url('https://a.example/a%20b'),
    refused: url('https://a.example/a b'),
    because: 'spec.url',
  },
  {
    rule: 'url has no backslash in the host',
    accepted: url('https://a.example/x'),
    refused: url('https://a.example\\@b'),
    because: 'url',
  },
  {
    rule: 'url names a host with a dot',
    accepted: url('https://a.example'),
    refused: url('https://localhost'),
    because: 'a dot',
  },
  {
    rule: 'url is no IPv4 address',
    accepted: url('https://1.example'),
    refused: url('https://192.0.2.1/'),
    because: 'no IP address',
  },
  {
    rule: 'url is no IPv6 address',
    accepted: url('https://a.example'),
    refused: url('https://[2001:db8::1]/'),
    because: 'no IP address',
  },
  {
    rule: 'url is no number',
    accepted: url('https://0x7f.example'),
    refused: url('https://2130706433/'),
    because: 'no IP address',
  },
  {
    rule: 'url is no hexadecimal address',
    accepted: url('https://x.xyz'),
    refused: url('https://0x7f.0.0.0x1/'),
    because: 'no IP address',
  },
  {
    rule: 'url is not below .svc',
    accepted: url('https://svc.example'),
    refused: url('https://db.prod.svc:8443/'),
    because: '.svc',
  },
  {
    rule: 'url is not below .local',
    accepted: url('https://local.example'),
    refused: url('https://db.prod.svc.cluster.LOCAL'),
    because: '.local',
  },
  {
    rule: 'url is not below .internal',
    accepted: url('https://a.example/.internal'),
    refused: url('https://metadata.google.internal/?a'),
    because: '.internal',
  },
  {
    rule: 'url is not below .localhost',
    accepted: url('https://a.test'),
    refused: url('https://a.localhost/'),
    because: '.localhost',
  },
  {
    rule: 'url has at most 2,048 characters',
    accepted: url(`https://a.example/${'x'.repeat(2_030)}`),
    refused: url(`https://a.example/${'x'.repeat(2_031)}`),
    because: 'spec.url: Too long',
  },
  {
    rule: 'the url of a webhook of the panel is what the panel allows',
    accepted: webhookSpec({ origin: 'API', url: 'https://192.0.2.1:8443/' }),
    refused: webhookSpec({ origin: 'API', url: 'http://192.0.2.1/' }),
    because: 'spec.url',
  },
  {
    rule: 'events has one at least',
    accepted: webhookSpec(),
    refused: webhookSpec({ events: [] }),
    because: 'spec.events in body should have at least 1 items',
  },
  {
    rule: 'events has each type once',
    accepted: webhookSpec({ events: ['envelope.sent', 'signer.signed'] }),
    refused: webhookSpec({ events: ['envelope.sent', 'envelope.sent'] }),
    because: 'Duplicate value',
  },
  {
    rule: 'events has known types',
    accepted: webhookSpec({
      events: ['envelope.sent', 'envelope.completed', 'envelope.cancelled', 'envelope.expired', 'signer.signed', 'signer.viewed'],
    }),
    refused: { ...webhookSpec(), events: ['envelope.opened'] },
    because: 'Unsupported value: "envelope.opened"',
  },
  {
    rule: 'description has at most 256 characters',
    accepted: webhookSpec({ description: 'x\n'.repeat(128) }),
    refused: webhookSpec({ description: 'x'.repeat(257) }),
    because: 'spec.description: Too long',
  },
  {
    rule: 'description has no NUL, which Postgres cannot store',
    accepted: webhookSpec({ description: '' }),
    refused: webhookSpec({ description: 'a\0b' }),
    because: 'spec.description',
  },
  {
    rule: 'suspend is a boolean',
    accepted: webhookSpec({ suspend: true }),
    refused: { ...webhookSpec(), suspend: 'yes' },
    because: 'spec.suspend',
  },
  {
    rule: 'rotation.request has 1 to 64 characters',
    accepted: webhookSpec({ rotation: { request: 'x'.repeat(64) } }),
    refused: webhookSpec({ rotation: { request: 'x'.repeat(65) } }),
    because: 'spec.rotation.request',
  },
  {
    rule: 'probe.request has 1 to 64 characters',
    accepted: webhookSpec({ probe: { request: '2026-01-15 08:00' } }),
    refused: webhookSpec({ probe: { request: '' } }),
    because: 'spec.probe.request',
  },
  {
    rule: 'secretRef is for objects managed in Kubernetes',
    accepted: webhookSpec({ origin: 'Kubernetes', secretRef: { name: 's', key: 'k' } }),
    refused: webhookSpec({ origin: 'API', secretRef: { name: 's' } }),
    because: 'secretRef is only for objects managed in Kubernetes',
  },
  {
    rule: 'secretRef names a Secret',
    accepted: webhookSpec({ secretRef: { name: 'a.b' } }),
    refused: webhookSpec({ secretRef: { name: 'A_b' } }),
    because: 'spec.secretRef.name',
  },
]

export const WEBHOOK_CHANGES: Change[] = [
  {
    rule: 'orgId is immutable',
    before: webhookSpec(),
    accepted: webhookSpec({ url: 'https://other.example/' }),
    refused: webhookSpec({ orgId: OTHER_ORG_ID }),
    because: 'orgId is immutable',
  },
  {
    rule: 'absent origin means Kubernetes and stays that',
    before: webhookSpec(),
    accepted: webhookSpec({ origin: 'Kubernetes' }),
    refused: webhookSpec({ origin: 'API' }),
    because: 'origin is immutable',
  },
  {
    rule: 'origin API cannot be removed',
    before: webhookSpec({ origin: 'API' }),
    accepted: webhookSpec({ origin: 'API', suspend: true }),
    refused: webhookSpec(),
    because: 'origin is immutable',
  },
  {
    rule: 'rotation.request can change and be removed, and so can probe.request',
    before: webhookSpec({ rotation: { request: '2' }, probe: { request: '2' } }),
    accepted: webhookSpec({ rotation: { request: '1' } }),
    refused: webhookSpec({ rotation: { request: '' } }),
    because: 'spec.rotation.request',
  },
]
