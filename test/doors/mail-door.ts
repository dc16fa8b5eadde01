import type { MailServer } from '../../packages/server/testing/peers/mail-service.ts'
import type { Door } from './door.ts'
import { startRun } from './http-door.ts'

/** Mail through our proxy: to write something here is to send it. */
export function mailDoor(service: () => MailServer): Door {
  const isSent = (id: string, subject: string) =>
    service().accepted.some(({ body }) => body.subject === `${id} ${subject}`)
  return {
    name: 'mail',
    write: { tool: 'resend-email', capability: 'resend-email' },
    says: 'resend-email',
    hasWritten: ({ id }, path) => isSent(id, path),
    async open(cell) {
      const { server, id } = cell
      const { token } = await server.mint(id, cell.project)
      const runId = await startRun(cell, token)
      return {
        person: server,
        agent: {
          runId,
          async act(act) {
            if ('shell' in act) throw new Error('bug: mail has no shell')
            const { write: subject, text } = act
            const letter = { from: 'a@example.com', to: 'b@example.com', text }
            const path = `/proxy/resend/emails?run=${runId}`
            const sent = await server.askAs(token, path, { ...letter, subject: `${id} ${subject}` })
            const answer = JSON.stringify(sent.body)
            if (sent.status === 200) return { isDenied: false, text: answer }
            return { isDenied: true, code: sent.body.code, text: answer }
          },
          close: async () => {},
        },
      }
    },
  }
}
