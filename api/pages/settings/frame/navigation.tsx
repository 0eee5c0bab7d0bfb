// The menu with the signed-in person: beside the content on wide screens, in a drawer on narrow ones.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { ActionButton } from '../../components/action-button.tsx'
import { CrossIcon, MenuIcon } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import sealUrl from '../../components/seal.svg'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { useAction } from '../data/use-action.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { usePlace } from '../routing/use-place.ts'
import { useIsAdmin, useSession, useSessionStore } from '../session/session-context.ts'
import { menuFor } from './areas.ts'
import { MenuEntryIcon } from './menu-icons.tsx'

export function SideMenu() {
  return (
    <aside className="side-menu">
      <Brand />
      <Menu onFollow={() => {}} />
      <Account onFollow={() => {}} />
    </aside>
  )
}

export function TopBar() {
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="top-bar">
      <Brand />
      <Button className="button button-icon" aria-label={texts.frame.openMenu} onPress={() => setOpen(true)}>
        <MenuIcon />
      </Button>
      <ModalOverlay className="drawer-overlay" isOpen={isOpen} isDismissable onOpenChange={setOpen}>
        <Modal className="drawer">
          <Dialog className="drawer-content" aria-label={texts.frame.navigation}>
            <div className="drawer-head">
              <Brand />
              <Button className="button button-icon" aria-label={texts.frame.closeMenu} onPress={() => setOpen(false)}>
                <CrossIcon />
              </Button>
            </div>
            <Menu onFollow={() => setOpen(false)} />
            <Account onFollow={() => setOpen(false)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </header>
  )
}

function Brand() {
  const { organisation } = useSession()
  return (
    <div className="brand">
      <img src={sealUrl} alt="" width="32" height="32" />
      <div>
        <span className="brand-product">{sharedTexts.shared.product}</span>
        <span className="brand-organisation">{organisation.name}</span>
      </div>
    </div>
  )
}

function Menu({ onFollow }: { onFollow: () => void }) {
  const { area } = usePlace()
  return (
    <nav aria-label={texts.frame.navigation}>
      <ul className="menu">
        {menuFor(useIsAdmin()).map(({ name, place, holds }) => (
          <li key={name}>
            <PlaceLink
              className="menu-link"
              to={place}
              aria-current={holds.includes(area) ? 'page' : undefined}
              onClick={onFollow}
            >
              <MenuEntryIcon name={name} />
              {texts.frame.areas[name]}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({ onFollow }: { onFollow: () => void }) {
  const { area } = usePlace()
  const store = useSessionStore()
  const { admin } = useSession()
  const signOut = useAction(
    () => store.signOut('here'),
    () => {},
  )
  return (
    <div className="account">
      <PlaceLink
        className="account-person"
        to={{ area: 'account' }}
        aria-current={area === 'account' ? 'page' : undefined}
        onClick={onFollow}
      >
        <span className="account-name">{admin.name}</span>
        <span className="account-email">{admin.email}</span>
        <span className="account-role">{texts.frame.roles[admin.role]}</span>
      </PlaceLink>
      {signOut.failure && <Notice tone="warning">{panelFailureText(signOut.failure)}</Notice>}
      <ActionButton look="quiet" isPending={signOut.isRunning} onPress={() => void signOut.run()}>
        {texts.frame.signOut}
      </ActionButton>
    </div>
  )
}
