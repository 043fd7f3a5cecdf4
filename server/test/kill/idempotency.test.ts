import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'

const keysPerKill = 120
const senders = 6

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

/** Repeats the same request with the same key until a response arrives, as a careful client does. */
const createOnce = async (name: string): Promise<{ id: number; isReplayed: boolean }> => {
  let tries = 0
  const { body } = await waitFor(
    () => {
      tries += 1
      return installation
        .call('POST', '/projects', { Name: name }, { 'Idempotency-Key': name })
        .catch(() => ({ status: 0, body: null }))
    },
    ({ status }) => status === 201,
  )
  return { id: body.Id as number, isReplayed: tries > 1 }
}

test.each(['api', 'everything'] as const)(
  'with kill -9 of %s, every idempotency key creates exactly one record, and every response names it',
  async (target) => {
    const names = Array.from({ length: keysPerKill }, (): string => crypto.randomUUID())
    const made = new Map<string, number>()
    let repeated = 0
    const waiting = [...names]
    const send = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const { id, isReplayed } = await createOnce(name)
        made.set(name, id)
        if (isReplayed) repeated += 1
      }
    }
    const sending = Promise.all(Array.from({ length: senders }, send))
    await waitFor(
      async () => made.size,
      (count) => count > keysPerKill / 4,
    )
    await installation.killAndRecover(target)
    await sending
    // The kill happened during the requests.
    expect(repeated).toBeGreaterThan(0)

    for (const name of names.slice(0, 20)) expect((await createOnce(name)).id).toBe(made.get(name))
    const found: { Id: number; Name: string }[] = []
    for (let offset = 0; ; offset += 500) {
      const { body } = await installation.call('GET', `/projects?limit=500&offset=${offset}`)
      found.push(...body.Projects)
      if (body.NextCursor === null) break
    }
    const wanted = new Set(names)
    const ours = found.filter(({ Name }) => wanted.has(Name))
    expect(ours).toHaveLength(names.length)
    for (const { Id, Name } of ours) expect(made.get(Name)).toBe(Id)
  },
)
