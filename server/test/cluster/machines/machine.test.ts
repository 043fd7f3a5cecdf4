import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { whyNoCluster } from './enclosure.ts'

const run = promisify(execFile)
const reason = await whyNoCluster()

/** Two machines in namespaces of their own, which a test process cannot enter. */
test.skipIf(reason !== null)(
  `a machine can be killed, frozen, slowed down, cut off and filled, and its clock stepped, without effect on the other${reason === null ? '' : ` (${reason})`}`,
  async () => {
    const script = fileURLToPath(new URL('try-machines.ts', import.meta.url))
    const { stdout } = await run(process.execPath, [script])
    expect(JSON.parse(stdout)).toEqual({
      reachable: true,
      reachableWhenCutOff: false,
      reachableAfterwards: true,
      answersInTimeWhenSlow: false,
      isSlow: true,
      answersAfterwards: true,
      answersWhenLost: false,
      answersWhenFrozen: false,
      answersWhenThawed: true,
      clockStepSeconds: 60,
      isDiskFull: true,
      isDiskFreeAfterwards: true,
      endedBy: 'SIGKILL',
      otherIsRunning: true,
    })
  },
)
