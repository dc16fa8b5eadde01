/** Functions of more than 60 lines from before there was a limit, and how long they are. */
export const knownLongFunctions: Readonly<Record<string, number>> = {}
