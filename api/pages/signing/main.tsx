// Entry of the signer's page, served at /sign/{token}. The token is the part of the path behind that and stays in memory only.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/signing.css'
import '../styles/pdf.css'
import '../styles/signature.css'
import { SigningPage } from './signing-page.tsx'

const token = window.location.pathname.split('/')[2] ?? ''

mountPage(<SigningPage token={token} />)
