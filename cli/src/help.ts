import type { Noun } from './command.ts'

const globalOptions = `  --api-base <url>  where the API is, e.g. https://video.example.com/v3 (or ZOETROPE_API_BASE)
  --api-key <key>   how to sign in there (or ZOETROPE_API_KEY)
  --json            print the answer as it came
Without them, cli.json in the data folder (ZOETROPE_DATA, default ./data) is used.`

const pad = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

export const nounHelp = (name: string, noun: Noun): string =>
  `${noun.summary}\n\n${pad(
    Object.entries(noun.verbs).map(([verb, { usage, summary }]) => [
      `${name} ${verb} ${usage}`.trimEnd(),
      summary,
    ]),
  )}\n\n${globalOptions}\n`

export const help = (nouns: Readonly<Record<string, Noun>>): string =>
  `zoetrope <noun> <verb> ...: work with a running Zoetrope through its API\n\n${pad(
    Object.entries(nouns).map(([name, noun]) => [
      name,
      `${noun.summary}: ${Object.keys(noun.verbs).join(', ')}`,
    ]),
  )}\n\n  help <noun>  shows what its verbs take\n\n${globalOptions}\n`
