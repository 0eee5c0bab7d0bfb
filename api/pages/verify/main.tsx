// Entry of the public check, served at /verify. The link in a seal's QR code carries `id` and `h` and is checked at once.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/verify.css'
import { readVerifyLink } from './verify-input.ts'
import { VerifyPage } from './verify-page.tsx'

mountPage(<VerifyPage link={readVerifyLink(window.location.search)} />)
