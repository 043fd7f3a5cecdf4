import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** A handshake packet with the stream id and a wrapped key of 128 bits that no passphrase opens. */
const handshake = (type: 'induction' | 'conclusion', cookie: number, streamId: string): Buffer => {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0x8000_0000)
  head.writeUInt32BE(type === 'induction' ? 4 : 5, 16)
  head.writeUInt32BE(type === 'induction' ? 1 : 0xffff_ffff, 36)
  head.writeUInt32BE(Math.floor(Math.random() * 2 ** 30), 40)
  head.writeUInt32BE(cookie, 44)
  if (type === 'induction') return head
  const extension = (number: number, content: Buffer): Buffer => {
    const fields = Buffer.alloc(4)
    fields.writeUInt16BE(number)
    fields.writeUInt16BE(content.length / 4, 2)
    return Buffer.concat([fields, content])
  }
  const id = Buffer.alloc(Math.ceil(streamId.length / 4) * 4)
  id.write(streamId)
  const keyMaterial = Buffer.alloc(16 + 16 + 8 + 16)
  keyMaterial[3] = 1
  keyMaterial[14] = 4
  keyMaterial[15] = 4
  return Buffer.concat([head, extension(5, id.swap32()), extension(3, keyMaterial)])
}

const openSocket = async (address: string): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

/**
 * Floods an SRT port from `127.0.0.2`, until `stop`: with conclusions of callers that returned their cookie
 * and name a stream, and with forged ones and inductions of callers that never return.
 */
export const floodSrt = async (port: number, streamId: string): Promise<{ readonly stop: () => number }> => {
  const sockets = await Promise.all(Array.from({ length: 120 }, () => openSocket('127.0.0.2')))
  const cookies = await Promise.all(
    sockets.map(async (socket) => {
      socket.send(handshake('induction', 0, streamId), port, '127.0.0.1')
      const [answer] = (await once(socket, 'message')) as [Buffer]
      return answer.readUInt32BE(44)
    }),
  )
  let sentCount = 0
  const timer = setInterval(() => {
    for (const [index, socket] of sockets.entries()) {
      const cookie = index % 6 === 0 ? 1 : cookies[index]!
      const packet = handshake(index % 12 === 0 ? 'induction' : 'conclusion', cookie, streamId)
      socket.send(packet, port, '127.0.0.1', () => {})
      sentCount += 1
    }
  }, 20)
  return {
    stop: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.close()
      return sentCount
    },
  }
}
