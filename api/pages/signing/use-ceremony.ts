// Runs the state machine for one link: loads the signer's step from the server while the step is `loading`, and stores which
// documents were opened.
import { type Dispatch, useEffect, useReducer } from 'react'
import { type Ceremony, type CeremonyEvent, nextCeremony } from './ceremony.ts'
import { openLink } from './ceremony-client.ts'
import { recallProgress, rememberProgress } from './remembered-progress.ts'
import { tabStorage } from './tab-storage.ts'

const START: Ceremony = { step: 'loading' }

/** The current step and the function that dispatches events. */
export function useCeremony(token: string): [Ceremony, Dispatch<CeremonyEvent>] {
  const [ceremony, dispatch] = useReducer(nextCeremony, START)

  useEffect(() => {
    if (ceremony.step !== 'loading') return undefined
    let current = true
    const open = async () => {
      const outcome = await openLink(token)
      if (!current) return
      if (!outcome.ok) dispatch({ type: 'failed', failure: outcome.failure })
      else
        dispatch({ type: 'link-opened', view: outcome.value, openedIds: recallProgress(tabStorage(), outcome.value).openedIds })
    }
    void open()
    return () => {
      current = false
    }
  }, [ceremony.step, token])

  useEffect(() => {
    if (ceremony.step === 'documents') rememberProgress(tabStorage(), ceremony.view, { openedIds: [...ceremony.openedIds] })
  }, [ceremony])

  return [ceremony, dispatch]
}
