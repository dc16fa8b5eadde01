/** Transcripts are files of others, of any size: what is held of them at once is bounded. */
export const transcriptLimits = {
  /** A longer line is passed over. Clients write whole files and images into one. */
  lineBytes: 8 * 1024 * 1024,
  /** Nesting of what a call was given. */
  inputDepth: 64,
  /** Files of one kind under a folder; what lies deeper or comes after these is left alone. */
  files: 100_000,
  folderDepth: 8,
  /** Sub-agents of one session whose calls are put in order with its own. */
  agents: 64,
  /** What is kept of a result, which facts are read from. */
  outputLength: 256 * 1024,
  idLength: 200,
  promptLength: 32 * 1024,
  /** Calls of one session of which it is remembered that they were told already. */
  rememberedCalls: 10_000,
} as const
