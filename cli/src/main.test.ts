import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileCache } from '../../server/test/support/compile-cache.ts'
import { runCommandLine } from './run-command-line.ts'

interface Seen {
  readonly call: string
  readonly authorization: string | undefined
  readonly contentRange: string | undefined
  readonly body: string
}

let server: Server
let base: string
let seen: Seen[]
interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

let answers: Record<string, Answer>
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-cli-'))
  seen = []
  answers = {}
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = `${request.method} ${request.url}`
    const body = Buffer.concat(await request.toArray()).toString('latin1')
    seen.push({
      call,
      authorization: request.headers.authorization,
      contentRange: request.headers['content-range'],
      body,
    })
    const {
      status,
      headers,
      body: content,
    } = answers[call] ?? {
      status: 404,
      body: { error: { code: 404, message: `Nothing at ${call}.`, requestId: 'r-404' } },
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(content))
  }
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await rm(folder, { recursive: true, force: true })
})

const environmentOf = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'] ?? '',
  ZOETROPE_API_BASE: `${base}/v3`,
  ZOETROPE_API_KEY: 'key',
  XDG_STATE_HOME: join(folder, 'state'),
  ...more,
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The key is only in the data folder. */
const byFile = (): NodeJS.ProcessEnv => ({
  ZOETROPE_API_BASE: undefined,
  ZOETROPE_API_KEY: undefined,
  ZOETROPE_DATA: folder,
})

/** Collects output in a list. Like a pipe, it is no terminal. */
const sink = (parts: string[]): NodeJS.WriteStream & { fd: 1 & 2 } =>
  ({ isTTY: false, write: (text: string) => parts.push(text) > 0 }) as never

/** Runs in this process, because starting one costs more than the command itself. */
const zoetrope = async (words: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> => {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const code = await runCommandLine(words, {
    env: environmentOf(environment),
    stdin: { isTTY: false } as NodeJS.Process['stdin'],
    stdout: sink(stdout),
    stderr: sink(stderr),
  })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

const main = new URL('./main.ts', import.meta.url).pathname

const spawnZoetrope = async (words: string[]): Promise<Ended> => {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: environmentOf({ NODE_COMPILE_CACHE: compileCache }),
  })
  const [stdout, stderr] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout: stdout.join(''), stderr: stderr.join('') }
}

describe('zoetrope', () => {
  it('continues when the reader of standard error has gone', async () => {
    answers['POST /v3/projects'] = {
      status: 201,
      headers: { 'x-ignored-fields': 'Titel' },
      body: { Id: 3 },
    }
    const words = ['projects', 'create', '--name', 'Spring', '--set', 'Titel=Spring', '--json']
    const child = spawn(process.execPath, [main, ...words], {
      cwd: folder,
      env: environmentOf({ NODE_COMPILE_CACHE: compileCache }),
    })
    child.stderr.destroy()
    const [stdout] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
    expect(child.exitCode).toBe(0)
    expect(JSON.parse(stdout.join(''))).toEqual({ Id: 3 })
  })

  it('reports a disconnected event stream on standard error, apart from the events', async () => {
    answers['GET /v3/events/stream?'] = {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: '',
    }
    const child = spawn(process.execPath, [main, 'events', 'stream', '--json'], {
      cwd: folder,
      env: environmentOf({ NODE_COMPILE_CACHE: compileCache }),
    })
    const stdout = child.stdout.toArray()
    const [line] = (await once(child.stderr, 'data')) as [Buffer]
    child.kill()
    expect(line.toString()).toBe('The event stream disconnected. Reconnecting.\n')
    expect(await stdout).toEqual([])
  })

  it('limits the groups of a breakdown', async () => {
    answers['GET /v3/analytics/breakdown?by=country&limit=3'] = {
      status: 200,
      body: { Groups: [] },
    }
    const words = ['analytics', 'breakdown', '--by', 'country', '--limit', '3', '--json']
    expect(await zoetrope(words)).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints a breakdown as a table with a column for each dimension', async () => {
    const group = { Views: 7, WatchSeconds: 61.5, StartupMs: null, Rebuffers: 0, Failures: 0, Errors: 1 }
    answers['GET /v3/analytics/breakdown?by=country%2Cday'] = {
      status: 200,
      body: { By: ['country', 'day'], Groups: [{ Keys: ['DE', null], ...group }] },
    }
    const { stdout } = await zoetrope(['analytics', 'breakdown', '--by', 'country,day'])
    const [head = '', row = '', ...more] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^country +day +Views +WatchSeconds /)
    expect(row).toMatch(/^DE +- +7 +61\.5 /)
    expect(more).toEqual([])
  })

  it('prints its version, also without a key', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    const ended = await zoetrope(['--version'], { ZOETROPE_API_KEY: undefined, ZOETROPE_DATA: folder })
    expect(ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect((await zoetrope(['help', 'nouns'])).stdout).toContain('--version')
  })

  it('lists webhooks and deliveries from all pages', async () => {
    const page = (key: string, Id: number, NextCursor: string | null) => ({
      status: 200,
      body: { [key]: [{ Id }], TotalCount: 2, NextCursor },
    })
    answers['GET /v3/modules/notifications?orderBy=health&limit=500'] = page('Webhooks', 1, 'c')
    answers['GET /v3/modules/notifications?orderBy=health&limit=500&cursor=c'] = page('Webhooks', 2, null)
    const { code, stdout } = await zoetrope(['webhooks', 'list', '--order-by', 'health', '--all', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ Webhooks: [{ Id: 1 }, { Id: 2 }] })
    const filter = 'status=failed&event=file.new&fileId=5&createdFrom=2026-03-01T00%3A00%3A00Z'
    answers[`GET /v3/modules/notifications/2/deliveries?${filter}&limit=500`] = page('Deliveries', 7, null)
    const words = ['--status', 'failed', '--events', 'file.new', '--file', '5']
    const all = ['--from', '2026-03-01T00:00:00Z', '--all', '--json']
    const deliveries = await zoetrope(['webhooks', 'deliveries', '2', ...words, ...all])
    expect(deliveries.stderr).toBe('')
    expect(JSON.parse(deliveries.stdout)).toMatchObject({ Deliveries: [{ Id: 7 }] })
  })

  it('prints the export of views as it arrives', async () => {
    answers['GET /v3/analytics/sessions/export?format=ndjson&projectId=3'] = {
      status: 200,
      headers: { 'content-type': 'application/x-ndjson' },
      body: { Id: 912, ProjectId: 3 },
    }
    const words = ['analytics', 'sessions', '--format', 'ndjson', '--project', '3']
    expect(await zoetrope(words)).toMatchObject({ code: 0, stdout: '{"Id":912,"ProjectId":3}' })
    expect(await zoetrope([...words, '--all'])).toMatchObject({ code: 2 })
  })

  it('asks for a percentile', async () => {
    answers['GET /v3/analytics/startuptime?percentile=95'] = {
      status: 200,
      body: { Metric: 'startuptime', Unit: 'milliseconds', Percentile: 95, Total: 1_218, Buckets: [] },
    }
    const { stdout } = await zoetrope(['analytics', 'startuptime', '--percentile', '95'])
    expect(stdout).toContain('Total: 1218 milliseconds')
  })

  it('prints the audit log line by line', async () => {
    answers['GET /v3/audit/stream?action=user.*&after=40'] = {
      status: 200,
      headers: { 'content-type': 'application/x-ndjson' },
      body: {
        Id: 41,
        OccurredAt: '2026-03-01T12:00:00.000+00:00',
        Action: 'user.deleted',
        User: null,
        Subject: 'User',
        SubjectId: '7',
        Address: '192.0.2.7',
      },
    }
    const words = ['audit', 'stream', '--after', '40', '--action', 'user.*']
    expect(await zoetrope(words)).toMatchObject({
      code: 0,
      stdout: '2026-03-01T12:00:00.000+00:00  user.deleted  -  User 7  192.0.2.7\n',
    })
    expect(JSON.parse((await zoetrope([...words, '--json'])).stdout)).toMatchObject({ Id: 41 })
  })

  it('prints a metric of the last days of a file', async () => {
    const call =
      'GET /v3/analytics/views?from=2026-01-30T00%3A00%3A00.000Z&to=2026-03-01T00%3A00%3A00Z&fileId=2'
    const bucket = { Start: '2026-02-28T00:00:00.000+00:00', Key: null, Value: 412 }
    answers[call] = { status: 200, body: { Metric: 'views', Unit: 'views', Total: 412, Buckets: [bucket] } }
    const words = ['analytics', 'views', '--file', '2', '--last', '30d', '--to', '2026-03-01T00:00:00Z']
    const { code, stdout } = await zoetrope(words)
    expect([code, seen[0]?.call]).toEqual([0, call])
    expect(stdout).toMatch(/Start +Value\n2026-02-28\S+ +412\n/)
    expect(await zoetrope(['analytics', 'views', '--last', 'soon'])).toMatchObject({ code: 2 })
  })

  it('prints a metric by country, and of one value of a custom dimension', async () => {
    const byCountry = 'GET /v3/analytics/views?groupBy=country'
    const bucket = { Start: null, Key: 'DE', Value: 412 }
    answers[byCountry] = {
      status: 200,
      body: { Metric: 'views', Unit: 'views', Total: 412, Buckets: [bucket] },
    }
    const { stdout } = await zoetrope(['analytics', 'views', '--group-by', 'country'])
    expect(stdout).toMatch(/Key +Value\nDE +412\n/)
    const ofCampaign = 'GET /v3/analytics/watchtime?interval=month&data=campaign%3Aspring'
    answers[ofCampaign] = {
      status: 200,
      body: { Metric: 'watchtime', Unit: 'seconds', Total: 5, Buckets: [] },
    }
    const words = ['analytics', 'watchtime', '--interval', 'month', '--data', 'campaign:spring']
    expect((await zoetrope(words)).code).toBe(0)
    expect(seen.at(-1)?.call).toBe(ofCampaign)
  })

  it('creates a webhook and shows its secret', async () => {
    answers['POST /v3/modules/notifications'] = {
      status: 201,
      body: { Id: 7, TargetURL: 'https://a.test/', EventTypes: ['file.new', 'live.*'], Secret: 'whsec_x' },
    }
    const words = [
      'webhooks',
      'create',
      '--url',
      'https://a.test/',
      '--events',
      'file.new, live.*',
      '--project',
      '3',
    ]
    const { code, stdout } = await zoetrope(words)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Id +7\n[^]*EventTypes +file\.new,live\.\*\n[^]*Secret +whsec_x\n/)
    expect(seen).toMatchObject([{ call: 'POST /v3/modules/notifications', authorization: 'Bearer key' }])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      TargetURL: 'https://a.test/',
      EventTypes: ['file.new', 'live.*'],
      ProjectId: 3,
    })
  })

  it('changes only the given fields of a webhook', async () => {
    answers['PUT /v3/modules/notifications/7'] = { status: 200, body: { Id: 7 } }
    const update = (...words: string[]) => zoetrope(['webhooks', 'update', '7', ...words])
    await update('--project', 'all', '--label', '', '--enable')
    await update('--header', 'X-A: one: two', '--header', 'X-B:', '--events', '*', '--project', '3')
    await update('--clear-headers', '--disable')
    expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ProjectId: null, Label: '', IsEnabled: true },
      { CustomHeaders: { 'X-A': 'one: two', 'X-B': '' }, EventTypes: ['*'], ProjectId: 3 },
      { CustomHeaders: null, IsEnabled: false },
    ])
  })

  it('shows a delivery with a table of its attempts', async () => {
    const attempt = {
      Number: 1,
      StartedAt: 'then',
      DurationMs: 183,
      StatusCode: 500,
      Error: 'bad',
      ResponseExcerpt: '<h1>',
    }
    answers['GET /v3/modules/notifications/7/deliveries/9'] = {
      status: 200,
      body: { Id: 9, Event: 'file.new', Attempts: [attempt] },
    }
    const { stdout } = await zoetrope(['webhooks', 'delivery', '7', '9'])
    expect(stdout).toBe(
      'Id     9\nEvent  file.new\n\nNumber  StartedAt  DurationMs  StatusCode  Error  ResponseExcerpt\n1       then       183         500         bad    <h1>\n',
    )
  })

  it('replays a time range and waits for all deliveries', async () => {
    answers['POST /v3/modules/notifications/7/replay'] = { status: 201, body: { Id: 2, Status: 'running' } }
    answers['GET /v3/modules/notifications/7/replays/2'] = {
      status: 200,
      body: { Id: 2, Status: 'finished', DeliveryCount: 12 },
    }
    const words = 'webhooks replay 7 --from 2026-03-01 --events file.*,live.* --project 3 --wait'
    const { stdout } = await zoetrope(words.split(' '))
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      From: '2026-03-01',
      Events: ['file.*', 'live.*'],
      ProjectId: 3,
    })
    expect(stdout).toMatch(/Status +finished\nDeliveryCount +12\n/)
  })

  it('prints lists as tables, and the raw response with --json', async () => {
    const body = { Projects: [{ Id: 1, Name: 'Spring\u001b[31m', FileCount: 2 }], TotalCount: 9, Limit: 1 }
    answers['GET /v3/projects?limit=1'] = { status: 200, body }
    const table = await zoetrope(['projects', 'list', '--limit', '1'])
    expect(table.stdout).toBe(
      'Id  Name         FileCount  StorageBytes  IsLive  CreatedAt\n1   Spring [31m  2          -             -       -\n1 of 9 records; use --offset for more, --all for all\n',
    )
    const json = await zoetrope(['projects', 'list', '--limit', '1', '--json'])
    expect(JSON.parse(json.stdout)).toEqual(body)
  })

  it.each([
    ['webhooks list', 'GET /v3/modules/notifications'],
    ['webhooks get 4', 'GET /v3/modules/notifications/4'],
    ['webhooks delete 4 --yes', 'DELETE /v3/modules/notifications/4'],
    ['webhooks rotate-secret 4', 'POST /v3/modules/notifications/4/rotatesecret'],
    ['webhooks test 4', 'POST /v3/modules/notifications/4/test'],
    ['webhooks deliveries 4 --limit 5', 'GET /v3/modules/notifications/4/deliveries?limit=5'],
    [
      'webhooks deliveries 4 --status failed,waiting --events file.* --file 5 --from 2026-03-01 --to 2026-03-02',
      'GET /v3/modules/notifications/4/deliveries?status=failed%2Cwaiting&event=file.*&fileId=5&createdFrom=2026-03-01&createdTo=2026-03-02',
    ],
    ['webhooks delivery 4 9', 'GET /v3/modules/notifications/4/deliveries/9'],
    ['webhooks redeliver 4 9', 'POST /v3/modules/notifications/4/deliveries/9/redeliver'],
    ['webhooks replay 4 --from 2026-03-01', 'POST /v3/modules/notifications/4/replay'],
    ['webhooks replay-status 4 2', 'GET /v3/modules/notifications/4/replays/2'],
    ['webhooks health 4', 'GET /v3/modules/notifications/4/health'],
    ['webhooks hours 4', 'GET /v3/modules/notifications/4/health/hours'],
    ['projects create --name Spring', 'POST /v3/projects'],
    ['projects get 2', 'GET /v3/projects/2'],
    ['projects delete 2 --cascade --yes', 'DELETE /v3/projects/2?cascade=true'],
    ['files list --project 2', 'GET /v3/projects/2/files'],
    [
      'files find --external-id cms-1 --project 2,3 --custom-metadata a.b=c=d --custom-metadata season=4',
      'GET /v3/files?projectId=2%2C3&externalId=cms-1&customMetadata.a.b=c%3Dd&customMetadata.season=4',
    ],
    ['files get 5 --project 2', 'GET /v3/projects/2/files/5'],
    ['files clip 5 --project 2 --start 1.5 --end 9', 'POST /v3/projects/2/files/5/clips'],
    ['files delete 5 --project 2 --yes', 'DELETE /v3/projects/2/files/5'],
    ['keys create --label CI --scopes files:*', 'POST /v3/apikeys'],
    ['keys list', 'GET /v3/apikeys'],
    ['keys revoke 0b7e --yes', 'DELETE /v3/apikeys/0b7e'],
  ])(
    '%s calls %s and exits 3 with message and request id when the record does not exist',
    async (words, call) => {
      const { code, stdout, stderr } = await zoetrope(words.split(' '))
      expect(seen.map((one) => one.call)).toEqual([call])
      expect({ code, stdout, stderr }).toEqual({
        code: 3,
        stdout: '',
        stderr: `Nothing at ${call}.\nRequest id: r-404\n`,
      })
    },
  )

  it('uploads a file in parts to its upload URL, resumes after a failed part, and waits for processing', async () => {
    const path = join(folder, 'clip.mp4')
    await writeFile(path, Buffer.alloc(20 * 1024 * 1024, 1))
    const upload = { URI: `${base}/uploads/t0` }
    answers['POST /v3/projects/2/files'] = { status: 201, body: { Id: 5, Upload: upload } }
    answers['PUT /uploads/t0'] = { status: 503, body: {} }
    answers['HEAD /uploads/t0'] = { status: 200, body: {}, headers: { 'upload-offset': '1000' } }
    answers['GET /v3/projects/2/files/5'] = {
      status: 200,
      body: { Id: 5, Status: 'finished', IsFinished: true },
    }
    server.on('request', (request) => {
      if (request.method === 'HEAD') answers['PUT /uploads/t0'] = { status: 200, body: {} }
    })
    const { code, stdout, stderr } = await spawnZoetrope([
      'files',
      'upload',
      path,
      '--project',
      '2',
      '--wait',
    ])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^clip\.mp4: uploading\n[^]*clip\.mp4: finished, file 5\n$/)
    expect(stdout).toContain('finished')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ FileName: 'clip.mp4', FileSize: 20_971_520 })
    const ranges = seen.filter(({ call }) => call.startsWith('PUT')).map(({ contentRange }) => contentRange)
    expect(ranges).toEqual([
      'bytes 0-16777215/20971520',
      'bytes 1000-16778215/20971520',
      'bytes 16778216-20971519/20971520',
    ])
    expect(
      seen.filter(({ call }) => call.startsWith('PUT')).every((one) => one.authorization === undefined),
    ).toBe(true)
  })

  it('exits 1 with the reason when the file that it waits for fails', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'text')
    answers['POST /v3/projects/2/files'] = {
      status: 201,
      body: { Id: 5, Upload: { URI: `${base}/uploads/t0` } },
    }
    answers['PUT /uploads/t0'] = { status: 200, body: {} }
    const failed = {
      Id: 5,
      Status: 'failed',
      IsFinished: true,
      HasErrors: true,
      ErrorMessage: 'No audio or video inside.',
    }
    answers['GET /v3/projects/2/files/5'] = { status: 200, body: failed }
    const { code, stderr } = await spawnZoetrope(['files', 'upload', path, '--project', '2', '--wait'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/\nFile 5 failed: No audio or video inside\.\n$/)
  })

  it('takes URL and key from flags before the environment, and from cli.json last', async () => {
    answers['GET /v3/projects/1'] = { status: 200, body: { Id: 1 } }
    await zoetrope(['projects', 'get', '1', '--api-base', base, '--api-key', 'flag'])
    await writeFile(join(folder, 'cli.json'), JSON.stringify({ ApiBase: `${base}/v3`, ApiKey: 'file' }))
    await zoetrope(['projects', 'get', '1'], byFile())
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer flag', 'Bearer file'])
  })

  it('sends the key of cli.json only to its own installation', async () => {
    await writeFile(join(folder, 'cli.json'), JSON.stringify({ ApiBase: `${base}/v3`, ApiKey: 'file' }))
    const words = ['projects', 'list', '--api-base', 'http://192.0.2.1']
    const { code, stderr } = await zoetrope(words, byFile())
    expect(stderr).toContain('is not sent to http://192.0.2.1. Pass --api-key')
    expect(code).toBe(2)
  })

  it('reports an invalid key without printing it', async () => {
    answers['GET /v3/me'] = { status: 200, body: { Id: 1 } }
    const broken = await zoetrope(['users', 'me'], { ZOETROPE_API_KEY: 'one\ntwo' })
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('invalid character') })
    expect(broken.stderr).not.toContain('two')
    expect((await zoetrope(['users', 'me'], { ZOETROPE_API_KEY: ' key\n' })).code).toBe(0)
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer key'])
  })

  it('removes terminal control characters from errors and escapes them in JSON', async () => {
    const Name = 'a\u009b31m\u202e\u{e0041}\u001b[2J'
    answers['GET /v3/projects/1'] = { status: 200, body: { Id: 1, Name } }
    answers['GET /v3/projects/2'] = {
      status: 409,
      body: { error: { message: `No ${Name}.`, type: 'conflict', details: [{ field: Name, issue: Name }] } },
    }
    const harmful = /[^\n\P{C}]/u
    const shown = await zoetrope(['projects', 'get', '1', '--json'])
    expect(shown.stdout).not.toMatch(harmful)
    expect(JSON.parse(shown.stdout)).toEqual({ Id: 1, Name })
    for (const words of [[], ['--json']]) {
      const { stderr } = await zoetrope(['projects', 'get', '2', ...words])
      expect(stderr).toContain('No a')
      expect(stderr).not.toMatch(harmful)
    }
  })

  it('leaves a column empty when no record has the field', async () => {
    answers['GET /v3/projects/1/files'] = { status: 200, body: { Files: [{ Id: 1 }], TotalCount: 1 } }
    const columns = 'Id, Name,Metadata.CustomMetadata.constructor,Playouts.0.HLS'
    const { stdout } = await zoetrope(['files', 'list', '--project', '1', '--columns', columns])
    expect(stdout).toMatch(/^1 +- +- +-\n$/m)
  })

  it.each([
    ['nonsense list', 'Unknown noun "nonsense"'],
    ['constructor list', 'Unknown noun "constructor"'],
    ['webhooks explode', 'Unknown verb of webhooks "explode". Expected one of: create, list,'],
    ['webhook list', 'Unknown noun "webhook". Did you mean "webhooks"?'],
    ['files lsit', 'Unknown verb of files "lsit". Did you mean "list"?'],
    [
      'keys create --scope *',
      "Unknown option '--scope'. Did you mean --scopes?\nUsage: ./zoetrope keys create",
    ],
    [`${'x'.repeat(100_000)} list`, 'Unknown noun "xxx'],
    ['webhooks create --url https://a.test', '--events is missing.\nUsage: ./zoetrope webhooks create --url'],
    ['webhooks get', 'The id is missing.\nUsage: ./zoetrope webhooks get <id>'],
    ['webhooks get 1 2', 'Unexpected argument "2".'],
    ['webhooks get abc', 'The id must be a positive integer, not "abc".'],
    ['projects list --columns Id,Nam', 'Unknown column "Nam". Columns: Id, '],
    ['projects list --columns Id,constructor', 'Unknown column "constructor". Columns: Id, '],
    ['projects list --columns Id.toString', 'Unknown column "Id.toString"'],
    ['files list --project 1 --columns Metadata.Titel', 'Unknown column "Metadata.Titel". Columns: Id, '],
    ['projects list --colour red', "Unknown option '--colour'\nUsage: ./zoetrope projects list"],
    ['webhooks update 7', 'Nothing to change'],
    ['projects delete 2', 'To delete project 2 without a terminal, add --yes'],
    ['categories update 2', 'Nothing to change'],
    ['categories create --data nonsense', '--data is not valid JSON'],
    ['live test --project 2 --seconds 0', '--seconds must be a whole number'],
    [
      'projects update 2 --storage-quota-bytes 9007199254740993',
      '--storage-quota-bytes must be at most 9007199254740991',
    ],
    ['completions powershell', 'Completions exist for bash, zsh and fish'],
    ['webhooks update 7 --enable --disable', '--enable and --disable cannot be combined'],
    ['webhooks create --url https://a.test --events * --header X', '--header must be a name, a colon'],
    ['webhooks listen --forward-to localhost:3000', '--forward-to must be a URL'],
    ['webhooks listen --secret short', '--secret must have 16 characters'],
    ['webhooks inspect --answer 99', '--answer must be a whole number from 200 to 599'],
    ['files upload missing.mp4 --project 1', 'Cannot read missing.mp4'],
    ['files list --project x', '--project must be a positive integer'],
    ['files clip 5 --project 2 --start 1 --end soon', '--end must be a number of seconds'],
    ['projects list --api-base nowhere', 'The API base must be a URL'],
  ])('%s exits 2 and names the mistake', async (words, message) => {
    const { code, stdout, stderr } = await zoetrope(words.split(' '))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it.each([
    [403, 4],
    [401, 4],
    [404, 3],
    [409, 1],
    [500, 1],
  ])(
    'a response of %i exits with %i, and --json prints one document with the reason',
    async (status, code) => {
      const error = {
        message: 'No.',
        type: 'a_slug',
        requestId: 'r-1',
        details: [{ field: 'Name', issue: 'long' }],
      }
      answers['GET /v3/me'] = { status, body: { error } }
      const { stdout, stderr, ...ended } = await zoetrope(['users', 'me', '--json'])
      expect({ stdout, code: ended.code }).toEqual({ stdout: '', code })
      expect(JSON.parse(stderr)).toEqual({
        Error: {
          ExitCode: code,
          Message: 'No.',
          Status: status,
          Type: 'a_slug',
          Details: [{ field: 'Name', issue: 'long' }],
          RequestId: 'r-1',
        },
      })
    },
  )

  it('takes bodies from fields, --set and JSON, where later sources override earlier ones', async () => {
    answers['PUT /v3/projects/2/files/5/metadata'] = { status: 200, body: { Id: 5 } }
    const data = '{"Title": "Old", "CustomMetadata": {"season": 1, "kept": true}}'
    const words = [
      'files',
      'metadata',
      '5',
      '--project',
      '2',
      '--data',
      data,
      '--title',
      '2026',
      '--tags',
      'a, b',
    ]
    const sets = ['customMetadata.season=4', 'Genre=null', 'latitude=52.5', 'CustomMetadata.adsDisabled=true']
    await zoetrope([...words, ...sets.flatMap((one) => ['--set', one])])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      Title: '2026',
      Tags: ['a', 'b'],
      CustomMetadata: { season: 4, kept: true, adsDisabled: true },
      Genre: null,
      Latitude: 52.5,
    })
  })

  it('reads all pages with --all and prints one document', async () => {
    const page = (ids: number[], cursor: string | null) => ({
      status: 200,
      body: {
        Categories: ids.map((Id) => ({ Id, Label: `L${Id}` })),
        TotalCount: 3,
        Limit: 500,
        NextCursor: cursor,
      },
    })
    answers['GET /v3/modules/categories?sort=asc&limit=500'] = page([1, 2], 'c1')
    answers['GET /v3/modules/categories?sort=asc&limit=500&cursor=c1'] = page([3], null)
    const { stdout } = await zoetrope(['categories', 'list', '--all', '--sort', 'asc', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ Categories: [{ Id: 1 }, { Id: 2 }, { Id: 3 }], TotalCount: 3 })
  })

  it('sends a caption as text, a watermark as base64 and a picture as bytes', async () => {
    const path = join(folder, 'a.png')
    await writeFile(path, 'WEBVTT\n')
    await zoetrope(['captions', 'create', '5', '--project', '2', '--language', 'de', '--file', path])
    await zoetrope(['watermark', 'set', '--project', '2', '--opacity', '50', '--file', path])
    await zoetrope(['pictures', 'create', '5', '--project', '2', '--no-is-standard', '--file', path])
    expect(seen.map(({ call }) => call)).toEqual([
      'POST /v3/projects/2/files/5/captions',
      'PUT /v3/projects/2/watermark',
      'POST /v3/projects/2/files/5/pictures?isStandard=false',
    ])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ Language: 'de', Content: 'WEBVTT\n' })
    expect(JSON.parse(seen[1]?.body ?? '')).toEqual({ Opacity: 50, Picture: 'V0VCVlRUCg==' })
    expect(seen[2]?.body).toBe('WEBVTT\n')
  })

  it.each([
    ['Name must not be empty.', [{ field: 'Name', issue: 'must not be empty' }], ''],
    [
      'Role is required. In total, 2 fields are not valid: see details.',
      [
        { field: 'Role', issue: 'is required' },
        { field: 'Email', issue: 'must be an e-mail address' },
      ],
      '  Role: is required\n  Email: must be an e-mail address\n',
    ],
  ])('prints each invalid field once: %s', async (message, details, list) => {
    answers['GET /v3/me'] = { status: 400, body: { error: { message, details, requestId: 'r-1' } } }
    expect((await zoetrope(['users', 'me'])).stderr).toBe(`${message}\n${list}Request id: r-1\n`)
  })

  it('reports an unreachable server instead of "fetch failed"', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    closed.close()
    await once(closed, 'close')
    const { code, stderr } = await zoetrope(['projects', 'list', '--api-base', nowhere])
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: `Cannot reach ${nowhere} (ECONNREFUSED). Check that Zoetrope is running there.\n`,
    })
  })

  it('prints help for all nouns or for the verbs of one', async () => {
    const all = await zoetrope(['help'])
    expect(all.code).toBe(0)
    for (const noun of ['projects', 'files', 'webhooks', 'keys']) expect(all.stdout).toContain(`  ${noun} `)
    expect((await zoetrope(['help', 'webhooks'])).stdout).toContain('webhooks rotate-secret <id>')
    expect((await zoetrope(['webhooks'])).stdout).toContain('webhooks redeliver <id> <delivery id>')
    const verb = await zoetrope(['webhooks', 'listen', '--help'])
    expect(verb.stdout).toContain('zoetrope webhooks listen [--forward-to <url>]')
    expect(verb.stdout).toMatch(/\n {2}--forward-to {2}where your receiver is/)
    expect((await zoetrope(['help', 'webhooks', 'listen'])).stdout).toBe(verb.stdout)
  })

  it.each(['zoetrope', '/opt/zoetrope/zoetrope', `'./my $& checkout/zoetrope'`])(
    'uses the name %s in help, hints and errors when called by it',
    async (name) => {
      const called = { ZOETROPE_CALLED_AS: name }
      const { stdout } = await zoetrope(['help', 'files', 'upload'], called)
      expect(stdout).not.toMatch(/(?:^| )\.\/zoetrope/m)
      expect(stdout.startsWith(`${name} files upload <path`)).toBe(true)
      expect(stdout).toContain(`\n  ${name} files upload interview.mp4 --project 2 --wait\n`)
      expect((await zoetrope(['help'], called)).stdout).not.toMatch(/(?:^| )\.\/zoetrope/m)
      expect((await zoetrope(['webhooks', 'get'], called)).stderr).toContain(`Usage: ${name} webhooks get`)
      const { stderr } = await zoetrope(['webhooks', 'get', '--json'], called)
      expect(JSON.parse(stderr).Error.Message).toContain(`Usage: ${name} webhooks get`)
    },
  )
})
