// Runs against SEALWRIGHT_TEST_URL on demand (see vitest.config.ts in this folder); `npm test` starts its own installations.
import { givenInstallation } from '../support/servers/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('the installation at SEALWRIGHT_TEST_URL', givenInstallation)
