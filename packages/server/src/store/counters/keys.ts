/** Rates and budgets are shared by policy and role (PO-5). */
export function counterKey(role: string, takeKey: string): string {
  return JSON.stringify([role, takeKey])
}

/** Call ids come from clients, and two runs may use the same: neither may settle for the other. */
export function callKeyOf(runId: string, callId: string): string {
  return JSON.stringify([runId, callId])
}
