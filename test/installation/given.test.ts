// Is put to what SEALWRIGHT_TEST_URL names when it is asked for (vitest.config.ts beside this file); `npm test` starts its installations itself.
import { givenInstallation } from '../support/servers/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('the installation at SEALWRIGHT_TEST_URL', givenInstallation)
