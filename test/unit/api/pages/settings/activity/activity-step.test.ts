import { ACTIVITIES } from '#core/account/activity/rules.ts'
import { describe, expect, test } from 'vitest'
import { activitySentence } from '../../../../../../api/pages/settings/activity/activity-step.ts'
import { deActivity, enActivity } from '../../../../../../api/pages/settings/locales/activity.ts'

const person = { id: 'p1', email: 'alex@example.test' }
const names = { c1: 'Contract archive' }

function sentenceOf(action: string, detail: Record<string, unknown>): string {
  return activitySentence({ actor: 'PERSON', person, action, detail }, names, enActivity)
}

describe('what a person did', () => {
  test.each([
    ['person.invited', { personId: 'p2', email: 'nina@example.test' }, 'alex@example.test invited nina@example.test.'],
    ['workspace.created', { workspaceId: 'w1', name: 'HR' }, 'alex@example.test created the workspace “HR”.'],
    ['credential.revoked', { credentialId: 'c1' }, 'alex@example.test revoked the credential “Contract archive”.'],
    [
      'webhook.disabled',
      { webhookId: 'w1', host: 'erp.example.test' },
      'alex@example.test disabled the webhook “erp.example.test”.',
    ],
    ['credential.revoked', { credentialId: 'constructor' }, 'alex@example.test revoked the credential.'],
    ['session.started', { method: 'password' }, 'alex@example.test signed in.'],
    ['toString', {}, 'alex@example.test: toString'],
  ])('%s %o reads as a sentence', (action, detail, sentence) => {
    expect(sentenceOf(action, detail)).toBe(sentence)
  })

  test('is put down to the operator where no person of the organisation did it', () => {
    const step = { actor: 'OPERATOR', person: null, action: 'credential.revoked', detail: {} } as const
    expect(activitySentence(step, names, enActivity)).toBe('The operator (command line) revoked the credential.')
    expect(activitySentence(step, names, deActivity)).toBe('Der Betreiber (Befehlszeile) hat die Zugangsdaten gesperrt.')
  })

  test.each([
    [{ object: 'shop/orders', host: 'erp.example.test' }, 'Kubernetes (shop/orders) suspended the webhook “erp.example.test”.'],
    [{}, 'Kubernetes suspended the webhook.'],
  ])('is put down to the object in Kubernetes of %o', (detail, sentence) => {
    const step = { actor: 'KUBERNETES', person: null, action: 'webhook.suspended', detail } as const
    expect(activitySentence(step, names, enActivity)).toBe(sentence)
    expect(activitySentence(step, names, deActivity)).toContain('ausgesetzt')
  })

  test('has words for everything that is recorded, in every language', () => {
    expect(Object.keys(enActivity.steps).toSorted()).toEqual(ACTIVITIES.toSorted())
    expect(Object.keys(deActivity.steps)).toEqual(Object.keys(enActivity.steps))
  })
})
