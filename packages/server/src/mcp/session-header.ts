/** A connection may name its client session, where its client cannot do so per call. */
export const sessionHeader = 'statewright-session'

/** By it our bridge names its connection, which the new era of the protocol does not. */
export const connectionHeader = 'statewright-connection'
