import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort } from '../../../test/support/free-port.ts'
import { checkPortIsFree, checkPorts } from './check-port.ts'

test('an occupied port stops the start with an error that names the setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(checkPortIsFree('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} is in use by another program. Stop it, or set ZOETROPE_PORT to a free port.`,
  )
  other.close()
  await once(other, 'close')
  await expect(checkPortIsFree('127.0.0.1', port)).resolves.toBeUndefined()
})

test('a port for health checks that is occupied, or the same as another one, stops the start', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port: taken } = other.address() as AddressInfo
  const port = await findFreePort()
  const config = { host: '127.0.0.1', port, workerPort: 0, liveHealthPort: 0 }
  await expect(checkPorts(config)).resolves.toBeUndefined()
  await expect(checkPorts({ ...config, workerPort: taken })).rejects.toThrow(
    `Port ${taken} is in use by another program. Stop it, or set ZOETROPE_WORKER_PORT to a free port.`,
  )
  await expect(checkPorts({ ...config, liveHealthPort: port })).rejects.toThrow(
    `ZOETROPE_PORT and ZOETROPE_LIVE_HEALTH_PORT are both ${port}. Set one of them to another port.`,
  )
  other.close()
})

test('the error names an address that this machine does not have', async () => {
  await expect(checkPortIsFree('192.0.2.1', 8080)).rejects.toThrow('cannot listen on 192.0.2.1')
})
