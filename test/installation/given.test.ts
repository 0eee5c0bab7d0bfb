// Runs against SEALWRIGHT_TEST_URL when that is set, instead of the installations that the suite starts itself (vitest.config.ts).
import { givenInstallation } from '../support/installations.ts'
import { describeInstallation } from './suite.ts'

describeInstallation('the installation at SEALWRIGHT_TEST_URL', givenInstallation)
