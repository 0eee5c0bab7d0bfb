import { startSplit } from '../support/servers/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('the tiers as processes of their own', startSplit)
