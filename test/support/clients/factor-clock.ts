// The clock of a test's database for second factors: it never goes back, because that would make every code a used one.
import type { TestService } from '../servers/test-service.ts'
import { setUpFactor, type TestFactor } from './authenticator.ts'
import { type PanelClient, signedIn, type TestPerson } from './panel-client.ts'

type Browser = PanelClient & { person: TestPerson }
export type PersonWithFactor = Browser & TestFactor

export interface FactorClock {
  /** In seconds: for `appCode`. */
  ahead: number
  wait(seconds: number): Promise<void>
  /** The next code of the app was not used yet. */
  setUp(browser: Browser): Promise<PersonWithFactor>
  /** A browser with a new person signed in, who has a second factor. */
  withFactor(options?: Parameters<typeof signedIn>[1]): Promise<PersonWithFactor>
}

export function factorClock(service: TestService): FactorClock {
  const clock: FactorClock = {
    ahead: 0,
    async wait(seconds) {
      clock.ahead += seconds
      await service.database.moveClock(clock.ahead)
    },
    async setUp(browser) {
      const factor = await setUpFactor(browser, clock.ahead)
      await clock.wait(30)
      return Object.assign(browser, factor)
    },
    withFactor: async (options = {}) => clock.setUp(await signedIn(service, options)),
  }
  return clock
}
