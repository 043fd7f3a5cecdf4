import { expect, test } from 'vitest'
import { parseCommand } from './protocol.ts'

const read = (fields: object) => parseCommand({ zoetrope: 1, ...fields })

test.each([
  [{ command: 'play' }],
  [{ command: 'seek', seconds: 12.5 }],
  [{ command: 'setVolume', volume: 0.5 }],
  [{ command: 'setMuted', muted: true }],
  [{ command: 'setRate', rate: 1.5 }],
  [{ command: 'setCaptions', language: null }],
  [{ command: 'setToken', token: 'kv1.abc.def' }],
  [{ command: 'getState', id: 7 }],
])('executes the command %o', (command) => {
  expect(read(command)).toEqual(command)
})

test.each([
  [
    { command: 'setQuality', height: 720 },
    { command: 'setQuality', height: 720 },
  ],
  [
    { command: 'setQuality', height: 'auto' },
    { command: 'setQuality', height: null },
  ],
  [
    { command: 'getState', id: {} },
    { command: 'getState', id: null },
  ],
  [
    {
      command: 'setChapters',
      chapters: [
        { seconds: 9, title: 'b' },
        { seconds: 1, title: 'a' },
      ],
    },
    {
      command: 'setChapters',
      chapters: [
        { startSeconds: 1, title: 'a' },
        { startSeconds: 9, title: 'b' },
      ],
    },
  ],
])('parses %o as %o', (message, command) => {
  expect(read(message)).toEqual(command)
})

test.each([
  [{ command: 'seek', seconds: Number.NaN }],
  [{ command: 'seek', seconds: '12' }],
  [{ command: 'setVolume', volume: 2 }],
  [{ command: 'setRate', rate: 100 }],
  [{ command: 'setQuality', height: 'high' }],
  [{ command: 'setToken', token: '../../x' }],
  [{ command: 'setChapters', chapters: [null] }],
  [{ command: 'constructor' }],
  [{ command: 'toString' }],
  [{ command: 1 }],
  [{}],
])('ignores the invalid command %o', (message) => {
  expect(read(message)).toBeNull()
})

test.each([[null], ['play'], [{ command: 'play' }], [{ zoetrope: 2, command: 'play' }]])(
  'ignores the foreign message %o',
  (message) => {
    expect(parseCommand(message)).toBeNull()
  },
)
