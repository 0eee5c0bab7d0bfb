// Which deliveries are shown, and buttons to the neighbouring pages.
import { ActionButton } from '../../../components/action-button.tsx'
import type { DeliveryPage } from '../../data/records.ts'
import { rangeOf } from '../../envelopes/envelope-search.ts'
import { formatNumber } from '../../locales/format.ts'
import { texts } from '../../locales/texts.ts'

export function DeliveryPages({ page, onShow }: { page: DeliveryPage; onShow: (index: number) => void }) {
  const { first, last } = rangeOf(page)
  const total = page.totalCapped ? texts.envelopes.moreThan(page.totalElements) : formatNumber(page.totalElements)
  return (
    <nav className="pages" aria-label={texts.envelopes.pages}>
      <p className="muted">{texts.envelopes.range(first, last, total)}</p>
      {page.totalPages > 1 && (
        <div className="button-row">
          <ActionButton look="secondary" isDisabled={page.page === 0} onPress={() => onShow(page.page - 1)}>
            {texts.envelopes.previous}
          </ActionButton>
          <ActionButton look="secondary" isDisabled={page.page + 1 >= page.totalPages} onPress={() => onShow(page.page + 1)}>
            {texts.envelopes.next}
          </ActionButton>
        </div>
      )}
    </nav>
  )
}
