import { expect, test } from 'vitest'
import { createConformance } from './conformance.ts'
import type { OpenApiDocument } from './openapi-document.ts'

const document = {
  openapi: '3.1.0',
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['Id'], properties: { Id: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
  },
} as unknown as OpenApiDocument

const checkThings = (status: number, body: unknown): void =>
  createConformance(document)('GET', '/things', {
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    body,
  })

test('accepts a response that matches its schema', () => {
  expect(() => checkThings(200, { Id: 1 })).not.toThrow()
})

test('names an undeclared property and the command that declares it', () => {
  expect(() => checkThings(200, { Id: 1, Colour: 'red' })).toThrow(
    /openapi\.json: \/Colour is not declared\. Declare it in the schema of the route, then run `npm run openapi`/,
  )
})

test('names the place of a value that does not match, without the hint', () => {
  expect(() => checkThings(200, { Id: 'one' })).toThrow(/openapi\.json: \/Id must be integer\.\n/)
})

test('names an undeclared status and the command that declares it', () => {
  expect(() => checkThings(202, { Id: 1 })).toThrow(/declare this status of listThings.*npm run openapi/)
})
