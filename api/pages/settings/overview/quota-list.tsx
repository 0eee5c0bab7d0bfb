// The quotas and their usage as bars.
import type { QuotaUse } from '../data/records.ts'
import { texts } from '../locales/texts.ts'
import { quotaBar } from './quota-bars.ts'

const NAMES: Partial<Record<string, string>> = texts.overview.quotaNames

export function QuotaList({ quotas }: { quotas: readonly QuotaUse[] }) {
  return (
    <ul className="quotas">
      {quotas.map((quota) => (
        <li key={quota.dimension}>
          <Quota quota={quota} name={NAMES[quota.dimension] ?? quota.dimension} />
        </li>
      ))}
    </ul>
  )
}

function Quota({ quota, name }: { quota: QuotaUse; name: string }) {
  const { part, state, used, limit } = quotaBar(quota)
  const text = part === undefined ? texts.overview.quotaUnlimited(used) : texts.overview.quotaOf(used, limit)
  return (
    <>
      <p className="quota-line">
        <span>{name}</span>
        <span className="quota-use">
          {state === 'near' && <strong>{texts.overview.quotaNear} · </strong>}
          {state === 'full' && <strong>{texts.overview.quotaFull} · </strong>}
          {text}
        </span>
      </p>
      {part !== undefined && (
        <div
          className={`meter meter-${state}`}
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(part * 100)}
          aria-valuetext={text}
        >
          <span className="meter-fill" style={{ inlineSize: `${part * 100}%` }} />
        </div>
      )}
    </>
  )
}
