import {
  auditArchitectures,
  cloneCall,
  mediaCalls,
  networkCalls,
  refusedCalls,
  socketCall,
  type FilteredArchitecture,
  type Numbers,
} from './system-calls.ts'

// linux/bpf_common.h
const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfNotBelow = 0x35
const jumpIfSet = 0x45
const jumpAlways = 0x05
const keepBits = 0x54
const returnValue = 0x06

// linux/seccomp.h: the action, with an errno in the lower 16 bits.
const allow = 0x7fff0000
const killProcess = 0x80000000
const failWith = (errno: number): number => 0x00050000 | errno
const eperm = 1
const enosys = 38

// Offsets in struct seccomp_data; arguments are 64 bits each, and both architectures are little-endian.
const numberOffset = 0
const architectureOffset = 4
const argumentOffset = (index: number): number => 16 + 8 * index

const cloneThread = 0x00010000
/** Numbers from here on are calls of the x32 interface, which has other rules. */
const firstX32Call = 0x40000000
// linux/net.h and linux/socket.h: the type has flags in its higher bits.
const ipv4 = 2
const ipv6 = 10
const datagram = 2
const typeBits = 0xf

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

const finish = (value: number): Instruction => [returnValue, 0, 0, value]

/** Returns one instruction pair: when the loaded word equals `value`, the filter ends with `action`. */
const endIfEqual = (value: number, action: number): Instruction[] => [
  [jumpIfEqual, 0, 1, value],
  finish(action),
]

const numbersOf = (calls: Numbers, architecture: FilteredArchitecture): number[] =>
  Object.values(calls).flatMap(([x64, arm64]) => (architecture === 'x64' ? x64 : arm64) ?? [])

/** Runs `body` when the call has this number. `body` ends the filter. */
const forCall = (number: number, body: readonly Instruction[]): Instruction[] => [
  [jumpIfEqual, 1, 0, number],
  [jumpAlways, 0, 0, body.length],
  ...body,
]

const allowInternetDatagrams: readonly Instruction[] = [
  [loadWord, 0, 0, argumentOffset(0)],
  [jumpIfEqual, 2, 0, ipv4],
  [jumpIfEqual, 1, 0, ipv6],
  finish(failWith(eperm)),
  [loadWord, 0, 0, argumentOffset(1)],
  [keepBits, 0, 0, typeBits],
  ...endIfEqual(datagram, allow),
]

/**
 * Returns the seccomp filter of a media process as the bytes of `struct sock_filter[]` (linux/filter.h). It allows listed calls, threads but
 * no processes, and with `network` UDP sockets only.
 */
export const seccompFilter = (
  architecture: FilteredArchitecture,
  { network }: { readonly network: boolean },
): Buffer => {
  const pick = ([x64, arm64]: readonly [number, number]): number => (architecture === 'x64' ? x64 : arm64)
  const instructions: Instruction[] = [
    [loadWord, 0, 0, architectureOffset],
    [jumpIfEqual, 1, 0, auditArchitectures[architecture]],
    finish(killProcess),
    [loadWord, 0, 0, numberOffset],
    [jumpIfNotBelow, 0, 1, firstX32Call],
    finish(failWith(enosys)),
    ...forCall(pick(cloneCall), [
      [loadWord, 0, 0, argumentOffset(0)],
      [jumpIfSet, 0, 1, cloneThread],
      finish(allow),
      finish(failWith(eperm)),
    ]),
    ...forCall(pick(socketCall), [...(network ? allowInternetDatagrams : []), finish(failWith(eperm))]),
    ...numbersOf(mediaCalls, architecture).flatMap((number) => endIfEqual(number, allow)),
    ...(network ? numbersOf(networkCalls, architecture) : []).flatMap((number) => endIfEqual(number, allow)),
    ...numbersOf(refusedCalls, architecture).flatMap((number) => endIfEqual(number, failWith(eperm))),
    finish(failWith(enosys)),
  ]
  const bytes = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}
