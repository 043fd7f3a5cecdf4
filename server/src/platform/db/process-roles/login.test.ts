import { expect, test } from 'vitest'
import { connectionAs } from './login.ts'

const login = { user: 'worker', password: 'secret' }

test.each([
  [
    'postgres://owner:old@db.example.com:5432/zoetrope',
    'postgres://worker:secret@db.example.com:5432/zoetrope',
  ],
  ['postgresql://db.example.com/zoetrope', 'postgresql://worker:secret@db.example.com/zoetrope'],
  // `pg` takes everything up to the last @ for the login.
  ['postgres://owner:p@ss@db.example.com/zoetrope', 'postgres://worker:secret@db.example.com/zoetrope'],
  ['postgres://owner@/zoetrope?host=%2Frun%2Fpg', 'postgres://worker:secret@/zoetrope?host=%2Frun%2Fpg'],
  [
    'postgres://db.example.com/zoetrope?user=owner&sslmode=verify-full&password=old',
    'postgres://worker:secret@db.example.com/zoetrope?sslmode=verify-full&',
  ],
])('%s keeps everything but the login', (url, expected) => {
  expect(connectionAs({ url }, login)).toEqual({ url: expected })
})
