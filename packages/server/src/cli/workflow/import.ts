import { writeFileSync } from 'node:fs'
import { readDefinitionText } from '@statewright/core/internal'
import { type JsonOption, orRefuse, printJson, refusable, refuse, say } from '../command.ts'
import { readDefinitionFile } from '../definition/file.ts'
import { importDefinition } from '../definition/import.ts'
import { printable } from '../output/report.ts'

/** `statewright workflow import FILE`: a definition that was exported from statewright.ai. */
export function importFile(
  path: string,
  options: JsonOption & { readonly out?: string },
): Promise<void> {
  return refusable(async () => {
    const file = orRefuse(readDefinitionFile(path))
    const source = 'text' in file ? readDefinitionText(file.text, file) : undefined
    if (source === undefined || source.value === undefined) {
      return refuse({
        code: 'definition_invalid',
        message: source?.findings[0]?.message ?? 'This is not a text file.',
        where: path,
        next: 'export it again as JSON or YAML.',
      })
    }
    const { definition, foreign, findings } = importDefinition(source.value)
    for (const { path: dotted, restricts } of foreign) {
      const what = restricts
        ? 'warning: not supported, so it restricts nothing'
        : 'is kept under meta.imported'
      say(printable(`${path}: ${dotted} ${what}`))
    }
    for (const { severity, code, path: at, message } of findings) {
      say(printable(`${path}: ${at.join('.')} ${severity} ${code} ${message}`))
    }
    const text = `${JSON.stringify(definition, null, 2)}\n`
    if (options.json === true) printJson({ definition, foreign, findings })
    else if (options.out === undefined) process.stdout.write(text)
    else writeNew(options.out, text)
    if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 3
  })
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    refuse({
      code: 'name_taken',
      message: `The file was not written (${why}).`,
      where: path,
      next: 'name a file that is not there yet.',
    })
  }
  say(`written: ${printable(path)}`)
}
