// The style of the /dev pages. A separate file: the content security policy forbids inline styles.
import { fileURLToPath } from 'node:url'

export const DEV_PAGES_STYLE = fileURLToPath(new URL('dev-pages.css', import.meta.url))
