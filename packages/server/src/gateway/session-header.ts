/** A connection may name its client session, where its client cannot do so per call. */
export const sessionHeader = 'statewright-session'
