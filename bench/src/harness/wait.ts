import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const timeoutMs = 60_000
const everyMs = 5

export const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Polls until the result is not null. */
export const untilSome = async <Value>(look: () => Value | null, what: string): Promise<Value> => {
  let found: Value | null = null
  await until(() => (found = look()) !== null, what)
  return found as Value
}

export const until = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${timeoutMs / 1_000} s`)
    await delay(everyMs)
  }
}

/** Reads the stream until its text matches. Rejects when the signal aborts. */
export const untilText = async (
  stream: NodeJS.ReadableStream,
  wanted: RegExp,
  signal?: AbortSignal,
): Promise<void> => {
  let text = ''
  while (!wanted.test(text)) {
    const [chunk] = (await once(stream, 'data', signal === undefined ? {} : { signal })) as [Buffer]
    text += chunk.toString('utf8')
  }
}
