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
        `It runs, and cannot reach its database or its media: ${url}/readyz answers 503.`,
      ),
    }
  const elsewhere = await addressElsewhere(config)
  const advice =
    elsewhere === null
      ? './zoetrope up starts it.'
      : `one of this data folder runs at ${elsewhere}. Give doctor the settings that it was started with, or write them into ${join(config.dataFolder, 'zoetrope.config')}, which both read.`
  return {
    isRunning: false,
    finding: finding('API', 'warning', `Zoetrope does not run at ${url}: ${advice}`),
  }
}

const checkPublicUrl = async ({ publicUrl }: Config): Promise<Finding> => {
  const answer = await ask(`${publicUrl}/healthz`)
  if (answer?.ok === true) return finding('Public URL', 'ok', publicUrl)
  const found = answer === null ? 'does not answer from here' : `answers ${answer.status}`
  return finding(
    'Public URL',
    'failed',
    `${publicUrl} ${found}, and stands in every URL that Zoetrope gives out: look at ZOETROPE_PUBLIC_URL, the proxy, its certificate and the name in DNS.`,
  )
}

const checkKey = async (config: Config): Promise<Finding> => {
  const path = credentialFiles(config.dataFolder).commandLine
  const text = await readCommandLineFile(config)
  if (text === null)
    return finding(
      'API key',
      'warning',
      `There is no ${path}: give the command line --api-key, or ZOETROPE_API_KEY.`,
    )
  let key = ''
  try {
    key = (JSON.parse(text) as { ApiKey?: string }).ApiKey ?? ''
  } catch {
    return finding('API key', 'failed', `${path} is damaged: make a key in the console and write it there.`)
  }
  const answer = await ask(`${localUrl(config)}/v3/me`, { authorization: `Bearer ${key}` })
  if (answer?.ok === true) return finding('API key', 'ok', `that of the command line is valid (${path})`)
  return finding(
    'API key',
    'failed',
    answer?.status === 401
      ? `That of the command line is revoked or expired: make another in the console, and write it to ${path}.`
      : `It could not be checked: /v3/me ${answer === null ? 'does not answer' : `answers ${answer.status}`}.`,
  )
}

export const checkRunning = (config: Config): Promise<Finding[]> =>
  Promise.all([checkPublicUrl(config), checkKey(config)])
