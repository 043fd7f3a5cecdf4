import { watch } from 'node:fs'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createInstallation, type Installation } from './installation.ts'

let installation: Installation

beforeEach(async () => {
  installation = await createInstallation({}, { isNew: true })
})

afterEach(() => installation.remove())

const untilAppears = async (folder: string, isIt: (name: string) => boolean): Promise<void> => {
  const watcher = watch(folder)
  try {
    for (;;) {
      const [, name] = (await once(watcher, 'change')) as [string, string | null]
      if (name !== null && isIt(name)) return
    }
  } finally {
    watcher.close()
  }
}

test.each([
  {
    instant: 'before the credentials are whole',
    isIt: (name: string) => name.startsWith('initial-credentials.json.'),
  },
  { instant: 'when the credentials appear', isIt: (name: string) => name === 'initial-credentials.json' },
])('after kill -9 of a first start $instant, the next start prints working credentials', async ({ isIt }) => {
  const appeared = untilAppears(installation.dataFolder, isIt)
  installation.launch()
  await appeared
  await installation.killEverything()
  await installation.start()
  const answer = await installation.call('GET', '/projects')
  expect(answer).toMatchObject({ status: 200, body: { TotalCount: 0 } })
  expect((await installation.call('GET', '/apikeys')).body.TotalCount).toBe(2)
})
