import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeSampleSource } from '../content/sample-media.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { limitCpu } from '../harness/cpu-limit.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { untilText } from '../harness/wait.ts'
import { untilFinished } from './whole-file.ts'

const run = promisify(execFile)
const mainScript = fileURLToPath(new URL('../../../server/src/app/main.ts', import.meta.url))

/** Four workers leave a part of two cores to the server. */
const coresOfWorker = 0.4

const mostWorkers = 4

/**
 * Encodes one film by one, two and four remote workers, each limited to the same part of a core as if it had a
 * machine of its own. Measures from the upload to the state `finished`.
 */
export const measureRemoteWorkers = async (context: BenchContext): Promise<Row[]> => {
  if (process.getuid?.() !== 0) {
    context.say('left out: limits of processor time need root')
    return []
  }
  const seconds = context.isQuick ? 120 : 240
  const path = await makeSampleSource(context.workFolder, { codec: 'h264', container: 'mp4', seconds })
  const { size: sizeBytes } = await stat(path)
  const dataFolder = await makeFolder(context, 'data')
  const product = await startProduct(context, dataFolder, { ZOETROPE_ENCODER_CONCURRENCY: '0' })
  const project = await product.call('POST', '/projects', {
    Name: 'Film',
    EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 240 }, { Height: 480 }] },
  })
  const files = `/projects/${project.body.Id}/files`
  const rows: Row[] = []
  let stops: (() => Promise<void>)[] = []
  for (const workers of [1, 2, mostWorkers]) {
    for (let number = stops.length + 1; number <= workers; number += 1)
      stops = [...stops, await startWorker(context, product, dataFolder, number)]
    context.say(`${seconds} s of 1080p by ${workers} remote workers`)
    const created = await product.call('POST', files, { FileName: basename(path), FileSize: sizeBytes })
    const put = await fetch(created.body.Upload.URI, { method: 'PUT', body: await openAsBlob(path) })
    if (!put.ok) throw new Error(`The PUT answered ${put.status}.`)
    const startedMs = performance.now()
    await untilFinished(product, `${files}/${created.body.Id}`)
    const value = (performance.now() - startedMs) / 1000
    const alone = rows[0]?.value ?? value
    rows.push(
      makeRow({
        name: `film by ${workers} remote worker${workers === 1 ? '' : 's'}, wall time`,
        value,
        unit: 's',
        limit: { name: 'one worker', value: alone },
        ratio: alone / value,
        note: `${seconds} s of 1080p to 480p and 240p, ${coresOfWorker} cores each; the ratio is the speed-up`,
      }),
    )
  }
  for (const stop of stops) await stop()
  return rows
}

const startWorker = async (
  context: BenchContext,
  product: Product,
  dataFolder: string,
  number: number,
): Promise<() => Promise<void>> => {
  const { stdout } = await run(
    process.execPath,
    [mainScript, 'worker-token', 'create', `Bench ${number}`, '--json'],
    { env: { PATH: process.env['PATH'], ZOETROPE_DATA: dataFolder } },
  )
  const folder = await makeFolder(context, `worker-${number}`)
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, (JSON.parse(stdout) as { Token: string }).Token, { mode: 0o600 })
  const limit = await limitCpu(`worker-${number}`, coresOfWorker)
  const child = spawn(
    'sh',
    [
      ...['-c', 'echo $$ > "$0" && exec "$@"', limit.processesFile, process.execPath, mainScript],
      ...['worker', '--server', product.url, '--token-file', tokenFile, '--work-folder', folder],
    ],
    { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const exited = once(child, 'exit')
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    child.kill('SIGTERM')
    await exited
    await limit.remove()
  }
  context.defer(stop)
  await Promise.race([
    untilText(child.stderr, /waiting for chunks/),
    exited.then(([code]) => Promise.reject(new Error(`The worker ended with ${String(code)}.`))),
  ])
  child.stderr.resume()
  return stop
}
