// Says what webhooks are and, where this installation runs one, names the receiver to try them with.
import { useEffect, useState } from 'react'
import { CopyField } from '../frame/copy-button.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'

const RECEIVER_PATH = '/dev/webhooks'
const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function NoWebhooks() {
  const receiverUrl = useReceiver()
  return (
    <EmptyState title={texts.webhooks.emptyTitle} body={texts.webhooks.emptyBody}>
      <a href="/docs#webhooks">{texts.webhooks.toDocs}</a>
      {receiverUrl && (
        <div className="receiver-hint">
          <p>{texts.webhooks.receiver}</p>
          <CopyField label={texts.webhooks.url} text={receiverUrl} />
          <a href={RECEIVER_PATH}>{texts.webhooks.toReceiver}</a>
        </div>
      )}
    </EmptyState>
  )
}

/** The address of the receiver of `npm start`, which answers on this machine only. */
function useReceiver(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!THIS_MACHINE.test(window.location.hostname)) return undefined
    const stop = new AbortController()
    void findReceiver(stop.signal).then(setUrl)
    return () => stop.abort()
  }, [])
  return url
}

/** Undefined where none runs, and when the request fails: the page is complete without it. */
async function findReceiver(signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(RECEIVER_PATH, { headers: { Accept: 'application/json' }, signal })
    if (!answer.ok) return undefined
    const found: unknown = await answer.json()
    return isReceiver(found) ? found.endpointUrl : undefined
  } catch {
    return undefined
  }
}

function isReceiver(found: unknown): found is { endpointUrl: string } {
  return typeof found === 'object' && found !== null && typeof Reflect.get(found, 'endpointUrl') === 'string'
}
