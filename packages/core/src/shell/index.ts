// Judging shell commands alone, without a run: for programs of others.

export {
  analyzeCommand,
  type CommandFindings,
  type CommandJudgement,
  judgeCommand,
} from './command.ts'
export type { ShellPolicy } from './policy.ts'
