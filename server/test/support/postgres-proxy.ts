import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Password of the roles that tests create. */
export const customerPassword = 'chosen-by-the-customer'

/**
 * Embedded servers have a socket and no port. The proxy forwards TCP connections to the socket, so the server
 * looks like an external one.
 */
export const openPostgresProxy = async (socketFolder: string) => {
  const proxy = createServer((client) => {
    const inside = connect(join(socketFolder, '.s.PGSQL.5432'))
    client.pipe(inside).pipe(client)
    client.on('error', () => inside.destroy())
    inside.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    urlOf: (user: string, database: string, password = customerPassword) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    close: (): void => void proxy.close(),
  }
}
