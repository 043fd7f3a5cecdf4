import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { judgeAudit } from './audit.ts'

/** Without a network, npm would try for minutes. */
const timeoutMs = 30_000

const npm = spawn('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=15000'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: ['ignore', 'pipe', 'ignore'],
  timeout: timeoutMs,
})
npm.once('error', () => {})
const { isPassed, message } = judgeAudit(await text(npm.stdout).catch(() => ''))
if (message !== '') console.log(message)
process.exitCode = isPassed ? 0 : 1
