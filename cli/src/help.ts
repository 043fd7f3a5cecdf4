import type { Command, Noun } from './command.ts'

const jsonOption = '  --json            print the answer as it came'

const globalOptions = `  --api-base <url>  where the API is, e.g. https://video.example.com/v3 (or ZOETROPE_API_BASE)
  --api-key <key>   how to sign in there (or ZOETROPE_API_KEY)
${jsonOption}
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

export const verbHelp = (name: string, command: Command): string => {
  const { usage, summary, details, options, isLocal } = command
  const described = Object.entries(options).flatMap(([option, { help: text }]) =>
    text === undefined ? [] : [[`--${option}`, text] as const],
  )
  return [
    `zoetrope ${name} ${usage}`.trimEnd(),
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    ...(described.length === 0 ? [] : [pad(described)]),
    `${isLocal === true ? jsonOption : globalOptions}\n`,
  ].join('\n\n')
}

export const help = (nouns: Readonly<Record<string, Noun>>): string =>
  `zoetrope <noun> <verb> ...: work with a running Zoetrope through its API\n\n${pad(
    Object.entries(nouns).map(([name, noun]) => [
      name,
      `${noun.summary}: ${Object.keys(noun.verbs).join(', ')}`,
    ]),
  )}\n\n  help <noun> [verb]  shows what its verbs take, or all about one\n\n${globalOptions}\n`
