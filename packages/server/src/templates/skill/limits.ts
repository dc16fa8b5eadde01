/** How much of a skill is read; each is tested at its edge. */
export const skillLimits = {
  fileBytes: 128 * 1024,
  steps: 50,
  /** What a brief shows of the instructions of a state. */
  instructions: 5000,
  /** Commands that are suggested for one step. */
  commands: 20,
  commandLength: 200,
  nameLength: 64,
  descriptionLength: 1024,
  tools: 100,
} as const
