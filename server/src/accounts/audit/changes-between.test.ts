import { expect, test } from 'vitest'
import { actionsMatching, auditActions } from './audit-action.ts'
import { changesBetween } from './changes-between.ts'

test.each<[string, object | null, object | null, object[]]>([
  ['a new record', null, { Id: 1, Name: 'a' }, [{ Field: 'Name', After: 'a' }]],
  ['a deleted record', { Id: 1, Name: 'a' }, null, [{ Field: 'Name', Before: 'a' }]],
  [
    'a changed field',
    { Name: 'a', Role: 'x' },
    { Name: 'b', Role: 'x' },
    [{ Field: 'Name', Before: 'a', After: 'b' }],
  ],
  ['a list by what is in it', { Ids: [1, { a: 2 }] }, { Ids: [1, { a: 2 }] }, []],
  [
    'added and removed items of a list',
    { Ids: [1, { a: 2 }] },
    { Ids: [{ a: 2 }, 3] },
    [{ Field: 'Ids', Added: [3], Removed: [1] }],
  ],
  ['a list that became empty', { Ids: [1] }, { Ids: [] }, [{ Field: 'Ids', Removed: [1] }]],
  ['another order', { Ids: [1, 2] }, { Ids: [2, 1] }, [{ Field: 'Ids', Before: [1, 2], After: [2, 1] }]],
  ['nothing that changes by itself', { LastUpdateAt: 1 }, { LastUpdateAt: 2 }, []],
  ['a value that was cleared', { Name: 'a' }, { Name: null }, [{ Field: 'Name', Before: 'a', After: null }]],
])('reports %s', (_what, before, after, changes) => {
  expect(changesBetween(before, after)).toEqual(changes)
})

test('reports a change of a masked field without its value', () => {
  const masks = { Secret: () => '…' }
  expect(changesBetween({ Secret: 'a' }, { Secret: 'b' }, masks)).toEqual([
    { Field: 'Secret', Before: '…', After: '…' },
  ])
})

test('truncates long values', () => {
  const [change] = changesBetween(null, { Description: 'a'.repeat(100_000) })
  expect(String(change?.After).length).toBeLessThan(2_010)
})

test('never splits a character', () => {
  for (const text of ['😀'.repeat(2_000), `a${'😀'.repeat(2_000)}`]) {
    const [change] = changesBetween(null, { Description: text })
    expect(String(change?.After).isWellFormed()).toBe(true)
  }
})

test('keeps all of 500 roles in projects', () => {
  const roles = Array.from({ length: 500 }, (_, id) => ({ ProjectId: id + 1e9, Role: 'Administrator' }))
  expect(changesBetween(null, { ProjectRoles: roles })).toEqual([{ Field: 'ProjectRoles', After: roles }])
})

test('filters accept names, families and everything, and nothing else', () => {
  expect(actionsMatching(['user.created', 'session.*'])).toEqual([
    'user.created',
    'session.started',
    'session.refused',
    'session.ended',
    'session.confirmed',
  ])
  expect(actionsMatching(['*'])).toEqual([...auditActions])
  expect(actionsMatching(['user.created', 'user'])).toBeNull()
})
