import type { Command, Noun } from './command.ts'
import type { CommandSet } from './parse-command-line.ts'
import { cutText } from './output/text-width.ts'

const jsonOption = '  --json            one JSON document, or one on each line of a stream'

const globalOptions = `  --api-base <url>  where the API is, e.g. https://video.example.com/v3 (or ZOETROPE_API_BASE)
  --api-key <key>   how to sign in there (or ZOETROPE_API_KEY)
${jsonOption}
Without them, cli.json in the data folder (ZOETROPE_DATA) is used.`

const ofLauncher = [
  ['up', 'start everything on this machine'],
  ['doctor', 'check this machine and this installation, and say what to mend'],
  ['backup <folder>', 'copy database, media and keys, also while it runs'],
  ['restore <folder>', 'bring a backup back into an empty data folder'],
] as const

/** Without a terminal, lines are not cut. */
const lineWidth = (): number => (process.stdout.isTTY ? process.stdout.columns : Number.MAX_SAFE_INTEGER)

const pad = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

/** One line per entry: the help of the verb has the full text. */
const padCut = (rows: readonly (readonly [string, string])[]): string =>
  pad(rows)
    .split('\n')
    .map((line) => cutText(line, lineWidth()))
    .join('\n')

const longestUsage = 46

export const nounHelp = (name: string, noun: Noun): string => {
  const rows = Object.entries(noun.verbs).map(([verb, { usage, summary }]): [string, string] => [
    cutText(`${name} ${verb} ${usage}`.trimEnd(), Math.min(longestUsage, lineWidth())),
    summary,
  ])
  return `${noun.summary}\n\n${padCut(rows)}\n\n  ./zoetrope help ${name} <verb> shows all that a verb takes\n\n${globalOptions}\n`
}

export const verbHelp = (name: string, command: Command): string => {
  const { usage, summary, details, options, isLocal, destroys } = command
  const described = Object.entries(options).map(([option, { help: text }]): [string, string] => [
    `--${option}`,
    text ?? '',
  ])
  if (destroys !== undefined)
    described.push(['--yes', 'without a question; needed where nobody can be asked'])
  return [
    `./zoetrope ${name} ${usage}`.trimEnd(),
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    ...(described.length === 0 ? [] : [pad(described)]),
    `${isLocal === true ? jsonOption : globalOptions}\n`,
  ].join('\n\n')
}

export const help = ({ nouns, tools }: CommandSet): string =>
  [
    './zoetrope <noun> <verb> ...: work with a running Zoetrope through its API',
    padCut(
      Object.entries(nouns).map(([name, noun]) => [
        name,
        `${noun.summary}: ${Object.keys(noun.verbs).join(', ')}`,
      ]),
    ),
    pad([
      ...Object.entries(tools).map(([name, { usage, summary }]) => [`${name} ${usage}`, summary] as const),
      ...ofLauncher,
    ]),
    '  ./zoetrope help <noun> [verb] shows what its verbs take, or all about one',
    'Exit status: 0 done, 1 failed, 2 typed wrongly, 3 not found, 4 refused, 5 cannot be reached',
    `${globalOptions}\n`,
  ].join('\n\n')
