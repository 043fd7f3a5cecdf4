import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@zoetrope/vocabulary'
import { loadConfig, type Config } from '../../src/app/config/config.ts'
import { issueApiKey } from '../../src/accounts/identity/authentication/api-keys.ts'
import { createFirstAccount } from '../../src/accounts/identity/accounts/first-start.ts'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import type { ProcessRole } from '../../src/platform/db/process-roles/login.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { startApi } from '../../src/app/api/start-api.ts'
import {
  addApiServices,
  adoptPublicUrl,
  buildServices,
  type ApiServices,
  type Services,
} from '../../src/app/roles/services.ts'
import { startWorker } from '../../src/app/roles/worker.ts'
import { createConformance, type CheckConformance } from './conformance.ts'
import { findFreePort } from './free-port.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { createTestDatabase } from './test-database.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests read responses of many shapes, and their expectations check the types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface TestServer {
  readonly url: string
  readonly apiKey: string
  /** Those of the API, but `database` has all rights: tests change what the API cannot. */
  readonly services: ApiServices
  /** Services as another process of the installation has them. Closed with the server. */
  readonly servicesOf: (role: ProcessRole) => Promise<Services>
  /** The database with the rights of a worker. */
  readonly workerDatabase: Database
  readonly dataFolder: string
  /**
   * Calls `/v3` + path with the key of the administrator. `body` is sent as JSON unless it is text or bytes.
   */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  /** Creates a key for a new user with this role, in this or a new account. */
  readonly newKey: (options?: {
    role?: Role
    scopes?: string[]
    projectIds?: number[]
    inNewAccount?: boolean
  }) => Promise<string>
  readonly stop: () => Promise<void>
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Null sends no key. */
  readonly apiKey?: string | null
}

const toBody = (body: unknown): BodyInit | undefined => {
  if (body === undefined) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData)
    return body as BodyInit
  return JSON.stringify(body)
}

export const request = async (
  url: string,
  method: string,
  options: CallOptions & { readonly apiKey?: string | null } = {},
): Promise<Answer> => {
  const { body, headers = {}, apiKey } = options
  const isJson =
    body !== undefined &&
    typeof body === 'object' &&
    !(body instanceof Uint8Array) &&
    !(body instanceof FormData)
  const response = await fetch(url, {
    method,
    headers: {
      ...(apiKey == null ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: toBody(body) as BodyInit }),
  })
  const type = response.headers.get('content-type') ?? ''
  // An event stream never ends.
  const isStream = type.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: /[/+]json\b/.test(type) && text !== '' ? JSON.parse(text) : text,
  }
}

const readConformance = async (): Promise<CheckConformance> => {
  const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
  return createConformance(JSON.parse(text) as OpenApiDocument)
}

let conformance: Promise<CheckConformance> | undefined
/**
 * Validator for the committed openapi.json, which equals the response of servers (openapi.test.ts). Compiling
 * it takes longer than many tests, so all servers share it.
 */
const committedConformance = (): Promise<CheckConformance> => (conformance ??= readConformance())

/**
 * Starts the API, and optionally the worker, in this process, with its own database, data folder and port.
 */
export const startTestServer = async (
  options: {
    readonly withWorker?: boolean
    readonly environment?: Record<string, string>
    /** For tests that insert simplified rows, whose responses do not match openapi.json. */
    readonly hasMadeUpRecords?: boolean
  } = {},
): Promise<TestServer> => {
  const testDatabase = await createTestDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-data-'))
  const port = await findFreePort()
  const config: Config = loadConfig({
    ZOETROPE_DATA: dataFolder,
    ZOETROPE_PORT: String(port),
    ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    ZOETROPE_LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
    // Tests send more requests a minute than the limits for customers allow. Tests of the limits set their
    // own.
    ZOETROPE_READS_PER_MINUTE: '0',
    ZOETROPE_WRITES_PER_MINUTE: '0',
    ZOETROPE_REFUSALS_PER_MINUTE: '0',
    ...options.environment,
  })
  const log = createLog({
    level: config.logLevel,
    ...(config.logFile === null ? {} : { destination: config.logFile }),
  })
  const toClose: Services[] = []
  const servicesOf: TestServer['servicesOf'] = async (role) => {
    const built = await buildServices(config, testDatabase.connectionOf(role), log, { role })
    toClose.push(built)
    return built
  }
  const apiServices = await addApiServices(await servicesOf('api'))
  const database = openDatabase(testDatabase.connection, { isRowSecurityEnabled: true })
  const services = { ...apiServices, database }
  const workerDatabase = openDatabase(testDatabase.connectionOf('worker'))
  await adoptPublicUrl(database, config.publicUrl)
  const credentials = await createFirstAccount(
    database,
    services.signingKeys,
    services.issuer,
    async () => {},
  )
  if (credentials === null) throw new Error('the template database has an account already')
  const api = await startApi(apiServices)
  const worker = options.withWorker === true ? await startWorker(await servicesOf('worker')) : null

  const newKey: TestServer['newKey'] = async ({
    role = 'Administrator',
    scopes = ['*'],
    projectIds,
    inNewAccount = false,
  } = {}) => {
    const { kysely } = services.database
    const account = inNewAccount
      ? await kysely
          .insertInto('accounts')
          .values({ name: 'Another' })
          .returning('id')
          .executeTakeFirstOrThrow()
      : await kysely.selectFrom('accounts').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
    const user = await kysely
      .insertInto('users')
      .values({ account_id: account.id, email: `${crypto.randomUUID()}@example.com`, role })
      .returning('id')
      .executeTakeFirstOrThrow()
    const key = await issueApiKey(kysely, services.signingKeys, services.issuer, {
      accountId: account.id,
      userId: user.id,
      label: 'test',
      scopes,
      projectIds: projectIds ?? null,
      expiresAt: null,
      allowedNetworks: null,
    })
    return key.token
  }

  const callAndCheck: TestServer['call'] = async (method, path, callOptions = {}) => {
    const fullPath = `/v3${path}`
    const answer = await request(config.publicUrl + fullPath, method, {
      apiKey: credentials.apiKey,
      ...callOptions,
    })
    if (options.hasMadeUpRecords === true) return answer
    const check = await committedConformance()
    check(method, fullPath.split('?', 1)[0] ?? '', answer)
    return answer
  }

  return {
    url: config.publicUrl,
    apiKey: credentials.apiKey,
    services,
    servicesOf,
    workerDatabase,
    dataFolder,
    call: callAndCheck,
    newKey,
    stop: async () => {
      await worker?.stop(5_000)
      await api.stop(1_000)
      await Promise.all(toClose.map((one) => one.close()))
      await Promise.all([database.close(), workerDatabase.close()])
      await testDatabase.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
