// Shows that something is in progress. With reduced motion it only pulses.

/** Screen readers read `label`; it is visible too unless adjacent text already says it. */
export function Spinner({ label, isLabelShown }: { label: string; isLabelShown: boolean }) {
  return (
    <span className="spinner-row" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className={isLabelShown ? undefined : 'visually-hidden'}>{label}</span>
    </span>
  )
}
