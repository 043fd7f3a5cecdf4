import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createBucket } from '../../../src/platform/blobs/s3/create-bucket.ts'
import { accessTo, swiftCommand, type S3Server } from '../../support/s3-server.ts'
import type { Machine } from '../machines/machine.ts'
import type { Disturbance } from './relay.ts'

export interface Store {
  readonly machine: Machine
  readonly access: Omit<S3Server, 'stop'>
  readonly disturb: (disturbance: Disturbance) => void
}

const relayScript = fileURLToPath(new URL('relay.ts', import.meta.url))
const [relayPort, swiftPort] = [9000, 9001]

/** Swift behind a relay that can break requests. */
export const startStore = async (machine: Machine): Promise<Store> => {
  // It ends with its standard input.
  const swift = machine.start(swiftCommand(join(machine.folder), '127.0.0.1', swiftPort), {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  if (swift.stdout === null) throw new Error('standard output is not piped')
  await Promise.race([
    once(createInterface({ input: swift.stdout }), 'line'),
    once(swift, 'exit').then(([code]) => Promise.reject(new Error(`Swift ended with ${String(code)}`))),
  ])
  const relay = machine.start([process.execPath, relayScript, String(relayPort), String(swiftPort)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(relay, 'message')
  const access = accessTo(`http://${machine.address}:${relayPort}`)
  await createBucket({ ...access })
  return { machine, access, disturb: (disturbance) => void relay.send(disturbance) }
}
