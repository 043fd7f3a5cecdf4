import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { bridge } from './network.ts'

const run = promisify(execFile)
const ip = (...words: string[]) => run('ip', words)

export interface SlowLink {
  /** In each direction. */
  readonly delayMs: number
  /** Part of the packets, from 0 to 1. */
  readonly loss: number
}

/** Debian's interpreter, as for the S3 server. */
const pythonPath = '/usr/bin/python3'

/**
 * Carries frames between two network devices, late, in order, and not all of them. PACKET_VNET_HDR keeps what the
 * kernel has yet to do with a frame: checksums and segments. The process ends with its standard input.
 */
const relayProgram = `
import heapq, random, select, socket, sys, time

SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 263, 15, 23
delay, loss = float(sys.argv[3]) / 1000, float(sys.argv[4])

def open_socket(device):
    link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    link.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    link.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    link.bind((device, 3))
    link.setblocking(False)
    return link

links = [open_socket(device) for device in sys.argv[1:3]]
due = []
count = 0
print('ready', flush=True)
while True:
    wait = max(0, due[0][0] - time.monotonic()) if due else None
    readable, _, _ = select.select(links + [sys.stdin], [], [], wait)
    if sys.stdin in readable:
        break
    for link in readable:
        try:
            frame = link.recv(1 << 17)
        except OSError:
            continue
        if random.random() >= loss:
            count += 1
            heapq.heappush(due, (time.monotonic() + delay, count, links[1 - links.index(link)], frame))
    while due and due[0][0] <= time.monotonic():
        _, _, link, frame = heapq.heappop(due)
        try:
            link.send(frame)
        except OSError:
            pass
`

/** Puts a slow and lossy line between a machine and the switch, in place of its own. There is no netem on these kernels. */
export const slowDownLink = async (
  name: string,
  { delayMs, loss }: SlowLink,
): Promise<() => Promise<void>> => {
  const [relayEnd, switchEnd] = [`s-${name}`, `t-${name}`]
  await ip('link', 'add', relayEnd, 'type', 'veth', 'peer', 'name', switchEnd)
  // The kernel must not answer for its own addresses on these devices.
  await ip('link', 'set', name, 'nomaster', 'arp', 'off')
  await ip('link', 'set', relayEnd, 'arp', 'off', 'up')
  await ip('link', 'set', switchEnd, 'master', bridge, 'up')
  const relay = spawn(pythonPath, ['-c', relayProgram, name, relayEnd, String(delayMs), String(loss)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(relay, 'exit')
  await Promise.race([
    once(relay.stdout, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`The slow line ended with ${String(code)}.`))),
  ])
  return async () => {
    relay.stdin.end()
    await ended
    await ip('link', 'delete', relayEnd)
    await ip('link', 'set', name, 'arp', 'on', 'master', bridge)
  }
}
