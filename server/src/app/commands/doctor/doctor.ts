import { loadConfig } from '../../config/config.ts'
import { explainIneffectiveSettings } from '../../config/explain-ineffective-settings.ts'
import { ConfigError } from '../../config/settings/setting.ts'
import type { CommandOutput } from '../command-output.ts'
import { checkApi, checkRunning } from './check-api.ts'
import { checkDatabase, connectionOf } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkMail } from './check-mail.ts'
import { checkPorts } from './check-ports.ts'
import { checkPrograms } from './check-programs.ts'
import { checkRemoteWorkers } from './check-remote-workers.ts'
import { checkStorage } from './check-storage.ts'
import { checkViews } from './check-views.ts'
import { finding, type Finding, type FindingStatus } from './finding.ts'

const marks: Readonly<Record<FindingStatus, string>> = { ok: '✓', warning: '!', failed: '✗' }

const describe = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ Check }) => Check.length))
  const lines = findings.map(
    ({ Check, Status, Message }) => `  ${marks[Status]} ${Check.padEnd(width)}  ${Message}`,
  )
  const count = (status: FindingStatus): number => findings.filter(({ Status }) => Status === status).length
  const failed = count('failed')
  const verdict =
    failed > 0
      ? `${failed} to fix.`
      : count('warning') > 0
        ? 'Zoetrope works. Check the items marked with !.'
        : 'No problems found.'
  return `${lines.join('\n')}\n\n${verdict}\n`
}

const examine = async (env: NodeJS.ProcessEnv): Promise<Finding[]> => {
  const programs = await checkPrograms()
  let config
  try {
    config = loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      ...programs,
      ...error.message.split('\n').map((line) => finding('Settings', 'failed', `${line}.`)),
    ]
  }
  const api = await checkApi(config)
  const [disk, ports, database, storage, mail, views, remoteWorkers, running] = await Promise.all([
    checkDisk(config.dataFolder),
    checkPorts(config, api.isRunning),
    checkDatabase(config, api.isRunning),
    checkStorage(config),
    connectionOf(config).then((connection) => checkMail(config, connection)),
    checkViews(config),
    connectionOf(config).then(checkRemoteWorkers),
    api.isRunning ? checkRunning(config) : [],
  ])
  return [
    ...programs,
    ...checkEnvironment(env),
    ...disk,
    ...database,
    ...storage,
    ...mail,
    ...views,
    ...remoteWorkers,
    ...ports,
    api.finding,
    ...running,
  ]
}

const checkEnvironment = (env: NodeJS.ProcessEnv): Finding[] => {
  const sentences = explainIneffectiveSettings(env)
  return sentences.length === 0
    ? [finding('Settings', 'ok', 'all valid')]
    : sentences.map((sentence) => finding('Settings', 'warning', sentence))
}

export const doctor = async (output: CommandOutput, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const findings = await examine(env)
  output.result({ Findings: findings }, describe(findings))
  return findings.every(({ Status }) => Status !== 'failed')
}
