// Entry of the signer's page, served at /sign/{token}. The token is the last part of the path and stays in memory only.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/signing.css'
import '../styles/pdf.css'
import { SigningPage } from './signing-page.tsx'

const token = decodeURIComponent(window.location.pathname.split('/').at(-1) ?? '')

mountPage(<SigningPage token={token} />)
