import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** Runs in a network namespace of its own: passes connections on to the Unix socket of a PostgreSQL server. */
const [address = '', database = '', keyFile = '', certFile = ''] = process.argv.slice(2)
const ports = { plain: 5432, encrypted: 5433 }

const sslRequestBytes = 8

const join = (client: Socket): void => {
  const server = connect(database)
  client.pipe(server).pipe(client)
  for (const end of [client, server]) end.on('error', () => {})
}

const secure = (client: Socket): void => {
  client.once('readable', () => {
    client.read(sslRequestBytes)
    client.write('S')
    join(new TLSSocket(client, { isServer: true, key: readFileSync(keyFile), cert: readFileSync(certFile) }))
  })
}

createServer(join).listen(ports.plain, address, () =>
  createServer(secure).listen(ports.encrypted, address, () => process.stdout.write('listening')),
)
