import { startEmbedded } from '../support/servers/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('npm start', startEmbedded)
