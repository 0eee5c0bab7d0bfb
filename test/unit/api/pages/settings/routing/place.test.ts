import { describe, expect, test } from 'vitest'
import {
  addressOf,
  ALL_DELIVERIES,
  ALL_ENVELOPES,
  type Place,
  placeOf,
} from '../../../../../../api/pages/settings/routing/place.ts'

function placeAt(address: string): Place {
  return placeOf(new URL(address, 'http://localhost'))
}

describe('a place', () => {
  test.each<[string, Place]>([
    ['/settings', { area: 'overview' }],
    ['/settings/envelopes', { area: 'envelopes', query: ALL_ENVELOPES }],
    [
      '/settings/envelopes?title=a%26b+c&status=SENT&workspace=w1&page=3',
      { area: 'envelopes', query: { title: 'a&b c', status: 'SENT', workspaceId: 'w1', page: 2 } },
    ],
    ['/settings/envelopes/e1', { area: 'envelope', id: 'e1' }],
    ['/settings/credentials', { area: 'credentials' }],
    ['/settings/credentials/new', { area: 'new-credential' }],
    ['/settings/credentials/c1', { area: 'credential', id: 'c1' }],
    ['/settings/webhooks', { area: 'webhooks' }],
    ['/settings/webhooks/new', { area: 'new-webhook' }],
    ['/settings/webhooks/h1', { area: 'webhook', id: 'h1' }],
    ['/settings/webhooks/h1/deliveries', { area: 'deliveries', webhookId: 'h1', filter: ALL_DELIVERIES }],
    [
      '/settings/webhooks/h1/deliveries?status=GAVE_UP&type=envelope.sent&page=2',
      { area: 'deliveries', webhookId: 'h1', filter: { status: 'GAVE_UP', eventType: 'envelope.sent', page: 1 } },
    ],
    ['/settings/webhooks/h1/deliveries/d1', { area: 'delivery', webhookId: 'h1', deliveryId: 'd1' }],
    ['/settings/workspaces', { area: 'workspaces' }],
    ['/settings/workspaces/w1', { area: 'workspace', id: 'w1' }],
    ['/settings/people', { area: 'people' }],
    ['/settings/organisation', { area: 'organisation' }],
    ['/settings/activity', { area: 'activity', page: 0 }],
    ['/settings/activity?page=2', { area: 'activity', page: 1 }],
    ['/settings/account', { area: 'account' }],
    ['/settings/signing-keys', { area: 'signing-keys' }],
  ])('%s leads there and back', (address, place) => {
    expect(placeAt(address)).toEqual(place)
    expect(addressOf(place)).toBe(address)
  })

  test.each([
    '/settings/nothing',
    '/settings/people/p1',
    '/settings/envelopes/e1/audit',
    '/settings/webhooks/h1/attempts',
    '/settings/webhooks/h1/deliveries/d1/body',
    '/settings/constructor',
  ])('%s is none', (address) => {
    expect(placeAt(address)).toEqual({ area: 'unknown' })
  })

  test('is the same with a slash at its end', () => {
    expect(placeAt('/settings/')).toEqual({ area: 'overview' })
    expect(placeAt('/settings/people/')).toEqual({ area: 'people' })
  })

  test.each(['0', '-1', '1.5', 'x', '12345678'])('takes page %s for the first', (page) => {
    expect(placeAt(`/settings/envelopes?page=${page}`)).toEqual({ area: 'envelopes', query: ALL_ENVELOPES })
  })
})
