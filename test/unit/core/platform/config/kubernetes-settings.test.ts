// Settings of Kubernetes that only work together, or in a certain form.
import { expect, test } from 'vitest'
import { errorsOf } from '../../../../support/judges/settings-errors.ts'

test.each([
  ['a renewal that may last as long as the Lease', { SEALWRIGHT_LEASE_RENEW_DEADLINE: '15s' }],
  ['a Lease shorter than its renewal', { SEALWRIGHT_LEASE_DURATION: '10s' }],
  ['no time for a second try', { SEALWRIGHT_LEASE_RETRY_PERIOD: '10s' }],
])('leader election with %s is rejected', (_, environment) => {
  expect(errorsOf(environment)).toEqual([
    'SEALWRIGHT_LEASE_RETRY_PERIOD must be shorter than SEALWRIGHT_LEASE_RENEW_DEADLINE, and that shorter than SEALWRIGHT_LEASE_DURATION.',
  ])
})

test.each(['Sealwright', '-a', 'a-', 'a.b', 'a'.repeat(64)])('%s is no namespace', (namespace) => {
  expect(errorsOf({ SEALWRIGHT_KUBE_NAMESPACE: namespace })).toHaveLength(1)
})
