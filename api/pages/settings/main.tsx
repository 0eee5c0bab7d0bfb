// Entry of the panel, served at /settings and below, and of the password setup at /settings/setup.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/panel.css'
import '../styles/panel-menu.css'
import '../styles/panel-parts.css'
import '../styles/panel-overview.css'
import '../styles/panel-forms.css'
import '../styles/panel-records.css'
import '../styles/panel-webhooks.css'
import { takeOidcError } from './session/oidc-error.ts'
import { SettingsPage } from './settings-page.tsx'
import { SetupPage } from './setup/setup-page.tsx'
import { isSetupAddress, takeSetupToken } from './setup/setup-token.ts'

const { location, history } = window

mountPage(
  isSetupAddress(location) ? (
    <SetupPage token={takeSetupToken(location, history)} />
  ) : (
    <SettingsPage oidcError={takeOidcError(location, history)} />
  ),
)
