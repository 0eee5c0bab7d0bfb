// Entry of the panel, served at /settings and below, and of the first password at /settings/setup.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/panel.css'
import '../styles/panel-parts.css'
import '../styles/panel-forms.css'
import { SettingsPage } from './settings-page.tsx'
import { isSetupAddress, takeSetupToken } from './setup/setup-token.ts'
import { SetupPage } from './setup/setup-page.tsx'

mountPage(
  isSetupAddress(window.location) ? <SetupPage token={takeSetupToken(window.location, window.history)} /> : <SettingsPage />,
)
