/** Bounds of the tools that we run for an agent. Each is tested at its edge. */
export const toolLimits = {
  /** How long a tool may run when neither the call nor the settings say otherwise. */
  timeoutMs: 300_000,
  longestTimeoutMs: 600_000,
  /** What the model is given of one result. */
  resultBytes: 64 * 1024,
  /** What is kept of a command's output: less, for the words around it. */
  outputBytes: 60 * 1024,
  /** Lines of one file that are read at once. */
  readLines: 2000,
  listedItems: 1000,
  matches: 200,
  matchLength: 400,
  /** A pattern of an agent may take for ever; its thread is ended after this. */
  searchMs: 20_000,
  commandLength: 100_000,
  words: 1000,
  pathLength: 4096,
  gitPaths: 1000,
} as const
