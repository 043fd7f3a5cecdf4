/**
 * Generates from server/openapi.json the types of the SDK, the method and path of each operation, and the
 * operation table of the command line.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { commandTable, type ApiDocument } from './command-table.ts'

const root = new URL('../../', import.meta.url)
const target = new URL('packages/sdk/src/generated/', root)
const commandLineTarget = new URL('cli/src/generated/', root)

interface Paths {
  readonly [path: string]: { readonly [method: string]: { readonly operationId?: string } }
}

/** The client formats a `Date` as the text of a date-time query parameter. */
const acceptDates = (
  { format }: { readonly format?: string },
  { path = '' }: { readonly path?: string },
): ts.TypeNode | undefined =>
  format === 'date-time' && path.includes('/parameters/query/')
    ? ts.factory.createUnionTypeNode([
        ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
        ts.factory.createTypeReferenceNode('Date'),
      ])
    : undefined

/** Lists only operations under `/v3/`, because the SDK's base URL ends there. */
const operationTable = (paths: Paths): string => {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined || !path.startsWith('/v3/')
        ? []
        : [`  ${operationId}: ['${method.toUpperCase()}', '${path.slice('/v3'.length)}'],`],
    ),
  )
  return `/** Method and path, below the API's base address, of every operation. */
export const operationTable = {
${lines.join('\n')}
} as const
`
}

const header = '// Written by `npm run codegen` from server/openapi.json; do not edit.\n\n'

export const generateSdkFiles = async (): Promise<ReadonlyMap<URL, string>> => {
  const document = JSON.parse(await readFile(new URL('server/openapi.json', root), 'utf8')) as OpenAPI3
  const types = astToString(await openapiTS(document, { silent: true, transform: acceptDates }))
  return new Map([
    [new URL('api.ts', target), header + types],
    [new URL('operation-table.ts', target), header + operationTable(document.paths as unknown as Paths)],
    [new URL('operations.ts', commandLineTarget), header + commandTable(document as unknown as ApiDocument)],
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, text] of await generateSdkFiles()) await writeFile(file, text)
