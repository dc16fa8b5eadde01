import { clientSuite } from './client-suite.ts'
import { opencode } from './opencode-client.ts'

clientSuite(opencode)
