import type { Command, Noun } from './command.ts'
import type { CommandSet } from './parse-command-line.ts'
import { cutText } from './output/text-width.ts'

const jsonOption = '  --json            print one JSON document, or one per line for streams'

const globalOptions = `  --api-base <url>  URL of the API, such as https://video.example.com/v3 (or ZOETROPE_API_BASE)
  --api-key <key>   API key (or ZOETROPE_API_KEY)
${jsonOption}
Default: cli.json in the data folder (ZOETROPE_DATA).`

const ofLauncher = [
  ['up', 'start everything on this machine'],
  ['doctor', 'check this machine and this installation'],
  ['backup <folder>', 'back up database, media and keys, also while Zoetrope runs'],
  ['restore <folder>', 'restore a backup into an empty data folder'],
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
  return `${noun.summary}\n\n${padCut(rows)}\n\n  ./zoetrope help ${name} <verb> shows the options of a verb\n\n${globalOptions}\n`
}

export const verbHelp = (name: string, command: Command): string => {
  const { usage, summary, details, options, isLocal, destroys } = command
  const described = Object.entries(options).map(([option, { help: text }]): [string, string] => [
    `--${option}`,
    text ?? '',
  ])
  if (destroys !== undefined)
    described.push(['--yes', 'do not ask for confirmation; required without a terminal'])
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
    './zoetrope <noun> <verb> ...: control a running Zoetrope through its API',
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
    '  ./zoetrope help <noun> [verb] shows the verbs of a noun, or the options of a verb\n  ./zoetrope --version prints the version',
    'Exit status: 0 success, 1 failure, 2 usage error, 3 not found, 4 not allowed, 5 server unreachable',
    `${globalOptions}\n`,
  ].join('\n\n')
