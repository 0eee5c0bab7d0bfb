// A service for the tests of second factors, with its clock and its visitors.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Answer } from '../clients/api-client.ts'
import { type FactorClock, factorClock } from '../clients/factor-clock.ts'
import { type PanelClient, panelClient } from '../clients/panel-client.ts'
import { testService, type TestService } from './test-service.ts'

export interface FactorService {
  /** Both are there when the tests run. */
  readonly service: TestService
  readonly clock: FactorClock
  /** A browser without a session. */
  stranger: () => PanelClient
  mailsTo: (address: string) => Promise<Awaited<ReturnType<TestService['mails']['list']>>>
}

/** Starts the service before the tests of the calling file, and forgets failed sign-ins before each. */
export function factorService(): FactorService {
  let service: TestService
  let clock: FactorClock
  beforeAll(async () => {
    service = await testService()
    clock = factorClock(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => service.database.owner`delete from sign_in_counters`)
  return {
    get service() {
      return service
    },
    get clock() {
      return clock
    },
    stranger: () => panelClient(service.url),
    async mailsTo(address) {
      await service.sendMails()
      return (await service.mails.list()).filter(({ to }) => to === address)
    },
  }
}

/** The status and the error code. */
export const answered = ({ status, body }: Answer): unknown[] => [status, body.code]

/** The actions in the activity of the browser's organisation, newest first. */
export async function activityOf(browser: PanelClient): Promise<string[]> {
  const { body } = await browser.get('/activity')
  return body.content.map(({ action }: { action: string }) => action)
}
