// Shows that something is under way. With reduced motion it only breathes.

/** `label` is read aloud; it is shown too unless a text beside it already says so. */
export function Spinner({ label, isLabelShown }: { label: string; isLabelShown: boolean }) {
  return (
    <span className="spinner-row" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className={isLabelShown ? undefined : 'visually-hidden'}>{label}</span>
    </span>
  )
}
