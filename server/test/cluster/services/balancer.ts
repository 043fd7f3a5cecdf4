import { openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFailoverProxy, type PairPrograms } from '../../support/postgres-pair.ts'
import type { Machine } from '../machines/machine.ts'

const sample = new URL('../../../../deploy/proxies/haproxy.cfg', import.meta.url)

/** HAProxy with the sample of `deploy/proxies`, without TLS, before the api nodes. */
const writeWebProxy = async (folder: string, apiAddresses: readonly string[]): Promise<string> => {
  const lines = (await readFile(sample, 'utf8')).split('\n')
  const servers = apiAddresses.map((address, index) => `  server api${index + 1} ${address}:8080`)
  const configuration = join(folder, 'haproxy.cfg')
  await writeFile(
    configuration,
    lines
      .filter((line) => !/\bssl\b|redirect scheme/.test(line))
      .flatMap((line) => (line.trim().startsWith('server ') ? servers : [line]))
      .join('\n'),
  )
  return configuration
}

/** The load balancer before the databases. */
export const startDatabaseProxy = async (
  { haproxy, postgres }: PairPrograms,
  machine: Machine,
  [one, two]: readonly [Machine, Machine],
): Promise<void> => {
  const folder = join(machine.folder, 'database')
  await mkdir(folder)
  const configuration = await writeFailoverProxy(folder, {
    proxy: `${machine.address}:5432`,
    one: `${one.address}:5432`,
    two: `${two.address}:5432`,
  })
  // Debian's `psql` in /usr/bin is a Perl script, which costs more than the check.
  const text = await readFile(configuration, 'utf8')
  await writeFile(configuration, text.replace('path /usr/bin', `path ${postgres}:/usr/bin`))
  const log = openSync(join(folder, 'haproxy.log'), 'a')
  machine.start([haproxy, '-db', '-f', configuration], { stdio: ['ignore', log, log] })
}

export const startWebProxy = async (
  haproxy: string,
  machine: Machine,
  apis: readonly Machine[],
): Promise<void> => {
  const folder = join(machine.folder, 'web')
  await mkdir(folder)
  const configuration = await writeWebProxy(
    folder,
    apis.map(({ address }) => address),
  )
  const log = openSync(join(folder, 'haproxy.log'), 'a')
  machine.start([haproxy, '-db', '-f', configuration], { stdio: ['ignore', log, log] })
}
