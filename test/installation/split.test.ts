import { startSplit } from '../support/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('the tiers as processes of their own', startSplit)
