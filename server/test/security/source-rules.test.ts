import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Returns `path:line text` for each matching line of the server sources, without tests. */
const linesMatching = async (pattern: RegExp): Promise<string[]> => {
  const paths = (await readdir(source, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|\.promises\.ts$|test-support/.test(path),
  )
  const found = await Promise.all(
    paths.map(async (path) =>
      (await readFile(join(source, path), 'utf8'))
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    ),
  )
  return found.flat().sort()
}

const filesOf = (lines: readonly string[]): string[] => [
  ...new Set(lines.map((line) => line.split(':')[0] ?? '')),
]

test('requests go through the guarded agent or to our own address', async () => {
  const waysOut =
    /(^|[^.\w])fetch\(|createRemoteJWKSet|from '(undici|node:dns.*|node:tls|openid-client|node:https)'|import \{[^}]*\b(request|connect)\b[^}]*\} from 'node:(http|net)'/
  expect(filesOf(await linesMatching(waysOut))).toEqual([
    // Connects to the syslog receiver that the operator sets.
    'accounts/audit/syslog/send-syslog.ts',
    // The library uses the guarded agent from sign-in-client.ts.
    'accounts/partners/sign-in/redeem-sign-in.ts',
    'accounts/partners/sign-in/sign-in-client.ts',
    // `./zoetrope doctor`, `demo` and `up` call their own API.
    'app/commands/doctor/check-api.ts',
    'app/first-start/demo.ts',
    'app/roles/tree.ts',
    // A remote worker calls the server that its operator names, and follows no redirect.
    'ingest/encoding/remote/worker/server-connection.ts',
    // Calls our own live nodes, at the addresses in their rows.
    'live/control/nodes/call-node.ts',
    // Asks another live node for its id, at the address in the row of that node.
    'live/node/cluster/ask-node.ts',
    // Connects to a Unix socket in its own folder to see whether a process runs.
    'live/node/cluster/process-sign.ts',
    // Accepts TLS connections of encoders.
    'live/node/connections/tls-listener.ts',
    // Has a method `fetch`, which uses the guarded agent.
    'live/node/ingest/pulls/hls-files.ts',
    // Has a function `fetch`, which reads a blob store.
    'platform/blobs/local-copies.ts',
    // Connects to the Unix socket of the embedded PostgreSQL to see whether it runs.
    'platform/db/embedded-postgres/embedded-postgres-folder.ts',
    // Reads responses.
    'platform/outbound/await-answer.ts',
    'platform/outbound/guarded-agent.ts',
    'platform/outbound/guarded-connector.ts',
    // Connects to checked addresses, for protocols other than HTTP.
    'platform/outbound/guarded-dialler.ts',
    // Queries name servers. The caller that connects checks the result.
    'platform/outbound/resolve-name.ts',
    // Ask our own live nodes for what viewers request.
    // Calls our own live nodes, at the addresses in their rows.
    'playback/live/live-players.ts',
    'playback/live/node-requests.ts',
    'playback/live/pass-on.ts',
  ])
})

test('all comparisons of secrets run in constant time', async () => {
  const secret = String.raw`\w*(secret|signature|password|token|csrf|hash|digest)`
  const sent = new RegExp(
    String.raw`\b${secret}\)? [!=]== (?!null|undefined|''|typeof|-?\d)|[!=]== ${secret}\b`,
    'i',
  )
  const compared = (await linesMatching(sent)).filter(
    (line) => !/exifSignature|typeof|\.length|[!=]== '\w+'/.test(line),
  )
  expect(filesOf(compared)).toEqual([
    // Searches the answer of a public list for the hash of a new password.
    'accounts/identity/sessions/breached-passwords.ts',
    // Compares the hash of a copied blob and the version of a row: clients send neither.
    'accounts/identity/sessions/password-routes.ts',
    // Compares the hash of an init segment that this process has made with that of the plan.
    'ingest/encoding/on-demand/encode-parts.ts',
    'ingest/encoding/on-demand/relist-rung.ts',
    'platform/blobs/copy-blob.ts',
  ])
})

test('no process starts through a shell', async () => {
  expect(
    await linesMatching(/shell: true|\bexecSync\(|import \{[^}]*\bexec\b[^}]*\} from 'node:child_process'/),
  ).toEqual([])
})

test('no code is generated from text', async () => {
  expect(await linesMatching(/\beval\(|new Function\(|from 'node:vm'/)).toEqual([])
})
