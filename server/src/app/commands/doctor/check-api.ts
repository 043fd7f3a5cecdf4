import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { credentialFiles } from '../../first-start/first-credentials.ts'
import { localUrl } from '../../roles/tree.ts'
import { finding, type Finding } from './finding.ts'

const timeoutMs = 5_000

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response | null> =>
  fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null)

export interface ApiState {
  readonly isRunning: boolean
  readonly finding: Finding
}

const readCommandLineFile = (config: Config): Promise<string | null> =>
  readFile(credentialFiles(config.dataFolder).commandLine, 'utf8').catch(() => null)

/** Returns the address that the command line uses when it differs from these settings. */
const addressElsewhere = async (config: Config): Promise<string | null> => {
  const [, base = ''] = /"ApiBase": *"([^"]+)"/.exec((await readCommandLineFile(config)) ?? '') ?? []
  if (!URL.canParse(base)) return null
  const { origin } = new URL(base)
  return (await ask(`${origin}/readyz`))?.ok === true ? origin : null
}

export const checkApi = async (config: Config): Promise<ApiState> => {
  const url = localUrl(config)
  const answer = await ask(`${url}/readyz`)
  const state =
    answer === null ? null : ((await answer.json().catch(() => null)) as { status?: string } | null)
  if (answer?.ok === true && state?.status === 'ready')
    return { isRunning: true, finding: finding('API', 'ok', `ready at ${url}`) }
  if (answer?.status === 503)
    return {
      isRunning: true,
      finding: finding(
        'API',
        'failed',
        `Zoetrope runs but cannot reach its database or its media: ${url}/readyz returns 503.`,
      ),
    }
  const elsewhere = await addressElsewhere(config)
  const advice =
    elsewhere === null
      ? 'Start it with ./zoetrope up.'
      : `A Zoetrope with this data folder runs at ${elsewhere}. Run doctor with the same settings, or write them to ${join(config.dataFolder, 'zoetrope.config')}.`
  return {
    isRunning: false,
    finding: finding('API', 'warning', `Zoetrope is not running at ${url}. ${advice}`),
  }
}

const checkPublicUrl = async ({ publicUrl }: Config): Promise<Finding> => {
  const answer = await ask(`${publicUrl}/healthz`)
  if (answer?.ok === true) return finding('Public URL', 'ok', publicUrl)
  const found = answer === null ? 'does not respond' : `returns ${answer.status}`
  return finding(
    'Public URL',
    'failed',
    `${publicUrl} ${found}. All URLs that Zoetrope returns begin with it. Check ZOETROPE_PUBLIC_URL, the proxy, its certificate and DNS.`,
  )
}

const checkKey = async (config: Config): Promise<Finding> => {
  const path = credentialFiles(config.dataFolder).commandLine
  const text = await readCommandLineFile(config)
  if (text === null)
    return finding(
      'API key',
      'warning',
      `${path} does not exist. Use the command line with --api-key or ZOETROPE_API_KEY.`,
    )
  let key = ''
  try {
    key = (JSON.parse(text) as { ApiKey?: string }).ApiKey ?? ''
  } catch {
    return finding(
      'API key',
      'failed',
      `${path} is damaged. Create an API key in the console and write it there.`,
    )
  }
  const answer = await ask(`${localUrl(config)}/v3/me`, { authorization: `Bearer ${key}` })
  if (answer?.ok === true) return finding('API key', 'ok', `the key of the command line is valid (${path})`)
  return finding(
    'API key',
    'failed',
    answer?.status === 401
      ? `The key of the command line is revoked or expired. Create another in the console and write it to ${path}.`
      : `The key could not be checked: /v3/me ${answer === null ? 'does not respond' : `returned ${answer.status}`}.`,
  )
}

export const checkRunning = (config: Config): Promise<Finding[]> =>
  Promise.all([checkPublicUrl(config), checkKey(config)])
