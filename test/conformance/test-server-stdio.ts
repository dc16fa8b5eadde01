import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTestServer } from './test-server.ts'

serveStdio(() => createTestServer())
