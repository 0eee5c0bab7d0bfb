// Runs the step machine for one link: asks the server where the signer stands whenever the step is `loading`, and remembers which
// documents were opened.
import { type Dispatch, useEffect, useReducer } from 'react'
import { type Ceremony, type CeremonyEvent, nextCeremony } from './ceremony.ts'
import { openLink } from './ceremony-client.ts'
import { recallProgress, rememberProgress } from './remembered-progress.ts'
import { tabStorage } from './tab-storage.ts'

const START: Ceremony = { step: 'loading' }

/** The ceremony's present step and the way to move it on. */
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
