import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { checkPortIsFree } from './check-port.ts'

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

test('the error names an address that this machine does not have', async () => {
  await expect(checkPortIsFree('192.0.2.1', 8080)).rejects.toThrow('cannot listen on 192.0.2.1')
})
