import { startEmbedded } from '../support/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('npm start', startEmbedded)
