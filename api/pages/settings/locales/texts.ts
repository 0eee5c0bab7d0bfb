// The panel's texts in the language of the page.
import { language } from '../../locales/texts.ts'
import { de } from './de.ts'
import { en } from './en.ts'

export const texts = language === 'de' ? de : en
