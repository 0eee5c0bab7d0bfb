// Entry of the public verification, served at /verify. The link in a seal's QR code contains `id` and `h` and is verified at once.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/verify.css'
import { readVerifyLink } from './verify-input.ts'
import { VerifyPage } from './verify-page.tsx'

mountPage(<VerifyPage link={readVerifyLink(window.location.search)} />)
