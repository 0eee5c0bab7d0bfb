import { describe, expect, test } from 'vitest'
import { envelopeListPath, rangeOf } from '../../../../../../api/pages/settings/envelopes/envelope-search.ts'
import { ALL_ENVELOPES } from '../../../../../../api/pages/settings/routing/place.ts'

describe('the list of envelopes', () => {
  test('is asked for with what is filtered by', () => {
    const query = { title: 'a&b', status: 'SENT', workspaceId: 'w1', page: 2 }
    expect(envelopeListPath(query)).toBe('/envelopes?page=2&size=20&title=a%26b&status=SENT&workspaceId=w1')
  })

  test('ignores a status that does not exist', () => {
    expect(envelopeListPath({ ...ALL_ENVELOPES, status: 'LOST' })).toBe('/envelopes?page=0&size=20')
  })

  test('says which of all it shows', () => {
    expect(rangeOf({ page: 1, size: 20, content: [1, 2] })).toEqual({ first: 21, last: 22 })
  })
})
