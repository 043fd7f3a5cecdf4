import { readdir, readFile } from 'node:fs/promises'
import { parse, type TsInterfaceDeclaration, type TsType, type TsTypeAliasDeclaration } from '@swc/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(() => testDatabase.drop())

interface Column {
  readonly kind: string
  readonly isNullable: boolean
  readonly isOptional: boolean
  readonly isReadOnly: boolean
}

const describeColumn = ({ kind, isNullable, isOptional, isReadOnly }: Column): string =>
  [
    kind,
    isNullable ? 'nullable' : 'not null',
    isReadOnly ? 'never inserted' : isOptional || isNullable ? 'optional on insert' : 'required on insert',
  ].join(', ')

const kindsOfTypes: Readonly<Record<string, string>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  text: 'string',
  uuid: 'string',
  xid8: 'string',
  tsvector: 'string',
  date: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
}

const kindOfType = (type: string): string =>
  type.startsWith('_') ? `${kindOfType(type.slice(1))}[]` : (kindsOfTypes[type] ?? type)

const readDatabase = async (): Promise<Record<string, Record<string, string>>> => {
  const rows = await testDatabase.database.sql<
    {
      table: string
      column: string
      type: string
      isNullable: boolean
      isOptional: boolean
      isReadOnly: boolean
    }[]
  >`
    select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as "isNullable",
      column_default is not null or is_identity = 'YES' as "isOptional",
      is_generated = 'ALWAYS' or identity_generation = 'ALWAYS' as "isReadOnly"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'`
  const tables: Record<string, Record<string, string>> = {}
  for (const { table, column, type, ...facts } of rows)
    (tables[table] ??= {})[column] = describeColumn({ kind: kindOfType(type), ...facts })
  return tables
}

type Declaration = TsInterfaceDeclaration | TsTypeAliasDeclaration

const readDeclarations = async (): Promise<ReadonlyMap<string, Declaration>> => {
  const folder = new URL('tables/', import.meta.url)
  const found = new Map<string, Declaration>()
  for (const name of await readdir(folder)) {
    const { body } = await parse(await readFile(new URL(name, folder), 'utf8'), { syntax: 'typescript' })
    for (const item of body) {
      const declared = item.type === 'ExportDeclaration' ? item.declaration : item
      if (declared.type === 'TsInterfaceDeclaration' || declared.type === 'TsTypeAliasDeclaration')
        found.set(declared.id.value, declared)
    }
  }
  return found
}

const isKeyword = (type: TsType, ...kinds: readonly string[]): boolean =>
  type.type === 'TsKeywordType' && kinds.includes(type.kind)

const membersOf = (type: TsType): readonly TsType[] => (type.type === 'TsUnionType' ? type.types : [type])

/** Interprets the declarations as Kysely does: `Generated` and `ColumnType` decide what an insert needs. */
const columnReader = (declarations: ReadonlyMap<string, Declaration>) => {
  const kindOf = (type: TsType): string => {
    if (type.type === 'TsKeywordType') return type.kind
    if (type.type === 'TsLiteralType') return 'string'
    if (type.type === 'TsArrayType') return `${kindOf(type.elemType)}[]`
    if (type.type === 'TsUnionType')
      return kindOf(type.types.find((one) => !isKeyword(one, 'null')) ?? type.types[0]!)
    if (type.type !== 'TsTypeReference' || type.typeName.type !== 'Identifier') return 'json'
    const name = type.typeName.value
    if (name === 'Date' || name === 'Buffer') return name
    if (name === 'Role' || name === 'ProjectRole') return 'string'
    const declared = declarations.get(name)
    return declared?.type === 'TsTypeAliasDeclaration' ? kindOf(declared.typeAnnotation) : 'json'
  }
  const plain = (type: TsType): Column => ({
    kind: kindOf(type),
    isNullable: membersOf(type).some((one) => isKeyword(one, 'null')),
    isOptional: false,
    isReadOnly: false,
  })
  const columnOf = (type: TsType): Column => {
    if (type.type !== 'TsTypeReference' || type.typeName.type !== 'Identifier') return plain(type)
    const [selected, inserted] = type.typeParams?.params ?? []
    const alias = declarations.get(type.typeName.value)
    switch (type.typeName.value) {
      case 'Generated':
        return { ...columnOf(selected!), isOptional: true }
      case 'GeneratedAlways':
        return { ...columnOf(selected!), isReadOnly: true }
      case 'ColumnType':
        return {
          ...plain(selected!),
          isOptional: membersOf(inserted!).some((one) => isKeyword(one, 'undefined')),
        }
      case 'JsonColumn':
        return { ...plain(selected!), kind: 'json' }
      case 'DefaultedJsonColumn':
        return { ...plain(selected!), kind: 'json', isOptional: true }
      default:
        return alias?.type === 'TsTypeAliasDeclaration' ? columnOf(alias.typeAnnotation) : plain(type)
    }
  }
  return columnOf
}

const readTypes = async (): Promise<Record<string, Record<string, string>>> => {
  const declarations = await readDeclarations()
  const columnOf = columnReader(declarations)
  const inheritedBy = (declared: TsInterfaceDeclaration): [string, TsType][] =>
    declared.extends.flatMap(({ expression }) => {
      const parent = expression.type === 'Identifier' ? declarations.get(expression.value) : undefined
      return parent?.type === 'TsInterfaceDeclaration' ? propertiesOf(parent) : []
    })
  const propertiesOf = (declared: TsInterfaceDeclaration): [string, TsType][] => [
    ...inheritedBy(declared),
    ...declared.body.body.flatMap((member) =>
      member.type === 'TsPropertySignature' && member.key.type === 'Identifier' && member.typeAnnotation
        ? [[member.key.value, member.typeAnnotation.typeAnnotation] as [string, TsType]]
        : [],
    ),
  ]
  const tables: Record<string, Record<string, string>> = {}
  for (const [name, declared] of declarations) {
    if (!name.endsWith('Tables') || declared.type !== 'TsInterfaceDeclaration') continue
    for (const [table, type] of propertiesOf(declared)) {
      const row =
        type.type === 'TsTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.value : ''
      const columns = declarations.get(row)
      if (columns?.type !== 'TsInterfaceDeclaration')
        throw new Error(`${table}: there is no interface ${row}`)
      tables[table] = Object.fromEntries(
        propertiesOf(columns).map(([column, one]) => [column, describeColumn(columnOf(one))]),
      )
    }
  }
  return tables
}

test('the table types match the migrated database: columns, kinds, nullability and defaults', async () => {
  const [types, database] = await Promise.all([readTypes(), readDatabase()])
  expect(Object.keys(types).length).toBeGreaterThan(50)
  expect(types).toEqual(database)
})
