// Entry of the signing page, served at /sign/{token}. The token stays in memory only.
import { mountPage } from '../components/mount-page.tsx'
import '../styles/signing.css'
import '../styles/reading.css'
import '../styles/reading-small.css'
import '../styles/pdf.css'
import '../styles/signature.css'
import { SigningPage } from './signing-page.tsx'

const token = window.location.pathname.split('/')[2] ?? ''

mountPage(<SigningPage token={token} />)
