import { sandboxLevel, type SandboxLevel } from '@zoetrope/ffmpeg'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sandboxAdvice } from '../../roles/prepare-sandbox.ts'
import { finding, type Finding } from './finding.ts'

const run = promisify(execFile)
const timeoutMs = 15_000
const oldestNode = [22, 18]
const oldestFfmpeg = [5, 1]
/** The libavutil of that version. */
const oldestLibrary = [57, 28]

const isAtLeast = (version: string, [major = 0, minor = 0]: readonly number[]): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

export const checkNode = (version = process.versions.node): Finding =>
  isAtLeast(version, oldestNode)
    ? finding('Node.js', 'ok', version)
    : finding(
        'Node.js',
        'failed',
        `${version} is too old. Zoetrope requires ${oldestNode.join('.')} or newer (https://nodejs.org).`,
      )

const wayToInstall = 'Install it with your package manager (Debian, Ubuntu: apt-get install ffmpeg).'

const checkVersion = async (program: string): Promise<Finding> => {
  const answer = await run(program, ['-version'], { timeout: timeoutMs }).catch(() => null)
  if (answer === null)
    return finding(program, 'failed', `${program} is missing or does not run. ${wayToInstall}`)
  const name = /^\S+ version (\S+)/.exec(answer.stdout)?.[1] ?? 'unknown'
  const number = /^n?(\d+\.\d+)/.exec(name)?.[1]
  // Builds from source have a date or a commit instead of a version number.
  const [, major, minor] = /^libavutil +(\d+)\. *(\d+)/m.exec(answer.stdout) ?? []
  const isNewEnough =
    number === undefined
      ? major === undefined || isAtLeast(`${major}.${minor}`, oldestLibrary)
      : isAtLeast(number, oldestFfmpeg)
  if (isNewEnough) return finding(program, 'ok', name)
  return finding(
    program,
    'failed',
    `${name} is too old. Zoetrope requires ${oldestFfmpeg.join('.')} or newer. ${wayToInstall}`,
  )
}

/** Encoding requires all `neededEncoders`. Each of the others enables one feature. */
const neededEncoders = ['libx264', 'aac', 'mjpeg']
const wantedEncoders: Readonly<Record<string, string>> = {
  libx265: 'HEVC renditions',
  libsvtav1: 'AV1 renditions',
}
const neededFilters =
  'scale format fps trim setpts setsar crop pad split select transpose concat overlay tile thumbnail bwdif colorspace setparams aresample volume'.split(
    ' ',
  )
const wantedFilters: Readonly<Record<string, string>> = {
  zscale: 'correct colours of HDR sources',
  tonemap: 'correct colours of HDR sources',
  ebur128: 'loudness',
}

const namesIn = async (list: '-encoders' | '-filters'): Promise<ReadonlySet<string> | null> => {
  const answer = await run('ffmpeg', ['-hide_banner', list], {
    timeout: timeoutMs,
    maxBuffer: 4_000_000,
  }).catch(() => null)
  if (answer === null) return null
  return new Set([...answer.stdout.matchAll(/^ \S+ +(\S+) /gm)].map(([, name = '']) => name))
}

export const judgeParts = (
  what: string,
  there: ReadonlySet<string>,
  needed: readonly string[],
  wanted: Readonly<Record<string, string>>,
): Finding => {
  const missing = needed.filter((name) => !there.has(name))
  if (missing.length > 0)
    return finding(
      what,
      'failed',
      `This ffmpeg was built without ${missing.join(', ')}. Install the one of your distribution, or a full build.`,
    )
  const without = Object.entries(wanted).filter(([name]) => !there.has(name))
  if (without.length === 0) return finding(what, 'ok', 'all required ones are available')
  const list = without.map(([name, purpose]) => `${name} (${purpose})`).join(', ')
  return finding(what, 'warning', `This ffmpeg was built without ${list}. Everything else works.`)
}

const shortcomings: Readonly<Record<Exclude<SandboxLevel, 'namespaces'>, string>> = {
  landlock: 'ffmpeg is confined by Landlock and a system call filter, without namespaces of its own.',
  limits: 'A file that exploits a fault of ffmpeg could reach the data and the network of this machine.',
}

export const judgeSandbox = (level: SandboxLevel): Finding =>
  level === 'namespaces'
    ? finding('Media sandbox', 'ok', 'bubblewrap')
    : finding('Media sandbox', 'warning', `${shortcomings[level]} ${sandboxAdvice}`)

export const checkPrograms = async (): Promise<Finding[]> => {
  const [ffmpeg, ffprobe, encoders, filters] = await Promise.all([
    checkVersion('ffmpeg'),
    checkVersion('ffprobe'),
    namesIn('-encoders'),
    namesIn('-filters'),
  ])
  const parts =
    encoders === null || filters === null
      ? []
      : [
          judgeParts('ffmpeg encoders', encoders, neededEncoders, wantedEncoders),
          judgeParts('ffmpeg filters', filters, neededFilters, wantedFilters),
        ]
  return [checkNode(), ffmpeg, ffprobe, ...parts, judgeSandbox(sandboxLevel())]
}
