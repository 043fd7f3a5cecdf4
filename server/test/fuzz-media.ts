import { parseArgs } from 'node:util'
import { fuzzMedia } from './fuzz/fuzz-media.ts'
import { createInstallation } from './kill/installation.ts'

/**
 * Sends damaged copies of real files to an installation that it starts for this purpose: `node
 * server/test/fuzz-media.ts [--files 500] [--seed 1]`. Exits with 1 and keeps the data when a file did harm.
 */
const { values } = parseArgs({
  options: { files: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const count = (counts: Readonly<Record<string, number>>): void => {
  for (const [name, number] of Object.entries(counts).toSorted(([, a], [, b]) => b - a))
    say(`${String(number).padStart(5)} ${name}`)
}

const installation = await createInstallation()
await installation.start()
const report = await fuzzMedia(installation, { files: Number(values.files), seed: Number(values.seed), say })
say('\nStates:')
count(report.states)
say('\nMessages:')
count(report.messages)
say(`\n${report.faults.length} faults`)
for (const fault of report.faults) say(fault)
if (report.faults.length === 0) await installation.remove()
else {
  await installation.killEverything()
  say(`The data is kept in ${installation.dataFolder}`)
  process.exitCode = 1
}
