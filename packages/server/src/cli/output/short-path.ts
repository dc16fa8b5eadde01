import { homedir } from 'node:os'

/** As short as a person would write it, from where they stand. */
export function shortPath(path: string): string {
  for (const [folder, sign] of [
    [process.cwd(), '.'],
    [homedir(), '~'],
  ] as const)
    if (folder !== '/' && path.startsWith(`${folder}/`)) return sign + path.slice(folder.length)
  return path
}
