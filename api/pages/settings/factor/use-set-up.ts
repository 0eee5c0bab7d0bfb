// The steps of setting up a second factor: begun, then confirmed with recovery codes to save. Begun by a press, never by rendering: beginning twice
// would replace the secret that the person has just scanned.
import { useState } from 'react'
import type { BegunFactor } from '../data/records.ts'
import { type Action, useAction } from '../data/use-action.ts'
import { useSessionStore } from '../session/session-context.ts'

export type SetUpStep = { step: 'begun'; begun: BegunFactor } | { step: 'confirmed'; recoveryCodes: string[] }

export interface SetUp {
  /** With the password. */
  begin: Action<string>
  /** Undefined before the beginning and after the end. */
  current: SetUpStep | undefined
  confirm: (recoveryCodes: string[]) => void
  end: () => void
}

export function useSetUp(): SetUp {
  const store = useSessionStore()
  const [current, setCurrent] = useState<SetUpStep>()
  const begin = useAction(
    (currentPassword: string) => store.call<BegunFactor>({ method: 'POST', path: '/factor', body: { currentPassword } }),
    (begun) => setCurrent({ step: 'begun', begun }),
  )
  return {
    begin,
    current,
    confirm: (recoveryCodes) => setCurrent({ step: 'confirmed', recoveryCodes }),
    end: () => setCurrent(undefined),
  }
}
