import { sandboxLevel, setSandboxLevel } from '@zoetrope/ffmpeg'
import { register } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { StartupError } from '../../platform/base/startup-error.ts'
import { createLog } from '../../platform/log/log.ts'
import { judgeSandbox } from '../commands/doctor/check-programs.ts'
import { prepareSandbox } from './prepare-sandbox.ts'

const log = createLog({ level: 'silent' })
const levelOfMachine = sandboxLevel()

afterEach(() => setSandboxLevel(levelOfMachine))

test.each(['landlock', 'limits'] as const)('a required sandbox refuses to start at level %s', (level) => {
  setSandboxLevel(level)
  expect(() => prepareSandbox('required', log)).toThrow(StartupError)
  expect(() => prepareSandbox('required', log)).toThrow(/Install bubblewrap/)
})

test('a required sandbox starts in namespaces', () => {
  setSandboxLevel('namespaces')
  prepareSandbox('required', log)
  expect(sandboxLevel()).toBe('namespaces')
})

test('a sandbox that is off leaves the limits, and the metric shows it', async () => {
  prepareSandbox('off', log)
  expect(sandboxLevel()).toBe('limits')
  const text = await register.getSingleMetricAsString('zoetrope_media_sandbox')
  expect(text).toContain('zoetrope_media_sandbox{level="limits"} 1')
  expect(text).toContain('zoetrope_media_sandbox{level="namespaces"} 0')
})

test('doctor accepts only namespaces without a warning', () => {
  expect(judgeSandbox('namespaces').Status).toBe('ok')
  expect(judgeSandbox('landlock').Status).toBe('warning')
  expect(judgeSandbox('limits').Status).toBe('warning')
})
