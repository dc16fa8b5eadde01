import { fileURLToPath } from 'node:url'

/** A transfer of at most the balance that a call of the bank itself has shown. */
export const bankWorkflow = {
  id: 'bank',
  initial: 'working',
  facts: {
    balance: { from: 'mcp__bank__get_balance', key: 'args.account', value: 'result.balance' },
  },
  calls: {
    mcp__bank__transfer: [
      { require: 'args.amount <= facts.balance[args.from]', message: 'Read the balance first.' },
    ],
  },
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}

/** A server that offers the tools of a bank, whatever name it is given. */
export const bankServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./peers/bank-server.ts', import.meta.url))],
}
