import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from '@swc/core'

/** A declaration at the top level of a file, as `path#name`. */
type Place = string

interface SourceFile {
  readonly declarations: ReadonlyMap<string, object>
  /** Exported name to local name. */
  readonly exports: ReadonlyMap<string, string>
  /** Local name to the declaration that it imports; `*` = all of the file. */
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>
  /** Files of `export *`. */
  readonly allOf: readonly string[]
  /** Statements that run when the file is loaded. */
  readonly effects: readonly object[]
  readonly body: unknown
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const typeKeys = new Set(['typeAnnotation', 'typeParameters', 'typeParams', 'returnType'])

/** The nodes in the value, each before those inside it. */
const nodesIn = (value: unknown, withTypes = false): readonly Node[] => {
  const found: Node[] = []
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (Array.isArray(one)) {
      for (const item of one) if (typeof item === 'object') waiting.push(item)
    } else if (typeof one === 'object' && one !== null) {
      if (isNode(one)) {
        if (!withTypes && /^Ts(Type|Interface)/.test(one.type)) continue
        found.push(one)
      }
      for (const key in one) {
        if (key === 'span' || (!withTypes && typeKeys.has(key))) continue
        const part = (one as Record<string, unknown>)[key]
        if (typeof part === 'object' && part !== null) waiting.push(part)
      }
    }
  }
  return found
}

const root = join(import.meta.dirname, '../../..')

const resolve = (from: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  return null
}

const namesOfPattern = (pattern: Node): string[] =>
  nodesIn(pattern).flatMap((node) => (node.type === 'Identifier' ? [node['value'] as string] : []))

const readSource = (path: string): SourceFile => {
  const { body } = parseSync(readFileSync(join(root, path), 'utf8'), { syntax: 'typescript' })
  const declarations = new Map<string, object>()
  const exports = new Map<string, string>()
  const imports = new Map<string, { path: string; name: string }>()
  const allOf: string[] = []
  const effects: object[] = []
  const declare = (node: Node, isExported: boolean): void => {
    const names =
      node.type === 'VariableDeclaration'
        ? (node['declarations'] as { id: Node }[]).flatMap(({ id }) => namesOfPattern(id))
        : node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration'
          ? [(node['identifier'] as { value: string }).value]
          : []
    for (const name of names) {
      declarations.set(name, node)
      if (isExported) exports.set(name, name)
    }
  }
  for (const item of body as unknown as Node[]) {
    if (item.type === 'ImportDeclaration') {
      const target = resolve(path, (item['source'] as { value: string }).value)
      if (target === null || item['typeOnly'] === true) continue
      for (const one of item['specifiers'] as {
        type: string
        local: { value: string }
        imported?: { value: string } | null
        isTypeOnly?: boolean
      }[]) {
        if (one.isTypeOnly === true) continue
        const name = one.type === 'ImportNamespaceSpecifier' ? '*' : (one.imported?.value ?? one.local.value)
        imports.set(one.local.value, { path: target, name })
      }
    } else if (item.type === 'ExportDeclaration') declare(item['declaration'] as Node, true)
    else if (item.type === 'ExportAllDeclaration') {
      const target = resolve(path, (item['source'] as { value: string }).value)
      if (target !== null) allOf.push(target)
    } else if (item.type === 'ExportNamedDeclaration') {
      const source = item['source'] as { value: string } | null
      const target = source === null ? null : resolve(path, source.value)
      for (const { orig, exported } of item['specifiers'] as {
        orig: { value: string }
        exported: { value: string } | null
      }[]) {
        const name = exported?.value ?? orig.value
        if (target === null) exports.set(name, orig.value)
        else {
          imports.set(`export ${name}`, { path: target, name: orig.value })
          exports.set(name, `export ${name}`)
        }
      }
    } else if (item.type.endsWith('Declaration')) declare(item, false)
    else effects.push(item)
  }
  return { declarations, exports, imports, allOf, effects, body }
}

const sources = new Map<string, SourceFile>()
const sourceOf = (path: string): SourceFile => {
  let source = sources.get(path)
  if (source === undefined) {
    source = readSource(path)
    sources.set(path, source)
  }
  return source
}

const placeOf = (path: string, name: string): Place => `${path}#${name}`

/** Everything that runs when `starts` are called, at the most: each mention of a declaration counts as a call. */
const reachableFrom = (starts: readonly Place[]): ReadonlyMap<Place, object> => {
  const found = new Map<Place, object>()
  const files = new Set<string>()
  const waiting = [...starts]
  const visit = (path: string, node: object): void => {
    const { declarations, imports } = sourceOf(path)
    for (const one of nodesIn(node)) {
      if (one.type === 'Identifier') {
        const name = one['value'] as string
        const imported = imports.get(name)
        if (imported !== undefined) waiting.push(placeOf(imported.path, imported.name))
        else if (declarations.has(name)) waiting.push(placeOf(path, `local ${name}`))
      } else if (one.type === 'CallExpression' && (one['callee'] as Node).type === 'Import') {
        const [first] = one['arguments'] as { expression: { value: string } }[]
        const target = resolve(path, first?.expression.value ?? '')
        if (target !== null) waiting.push(placeOf(target, '*'))
      }
    }
  }
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const [path = '', given = ''] = place.split('#')
    if (!path.endsWith('.ts')) continue
    const { declarations, exports, imports, allOf, effects } = sourceOf(path)
    if (!files.has(path)) {
      files.add(path)
      for (const [index, effect] of effects.entries()) {
        found.set(placeOf(path, `effect ${index}`), effect)
        visit(path, effect)
      }
    }
    if (given === '*') {
      waiting.push(...[...exports.keys()].map((name) => placeOf(path, name)))
      waiting.push(...allOf.map((one) => placeOf(one, '*')))
      continue
    }
    const name = given.startsWith('local ') ? given.slice(6) : (exports.get(given) ?? '')
    const imported = imports.get(name)
    if (imported !== undefined) {
      waiting.push(placeOf(imported.path, imported.name))
      continue
    }
    const node = declarations.get(name)
    if (node === undefined) {
      waiting.push(...allOf.map((one) => placeOf(one, given)))
      continue
    }
    const key = placeOf(path, name)
    if (found.has(key)) continue
    found.set(key, node)
    visit(path, node)
  }
  return found
}

export type Verb = 'select' | 'insert' | 'update' | 'delete' | 'lock'

export type Use = (table: string, verb: Verb) => void

const readers = /^(selectFrom|from|using|(inner|left|right|full|cross)Join(Lateral)?)$/
const locks = /^for(Update|NoKeyUpdate|Share|KeyShare)$/

interface Call {
  readonly method: string
  readonly values: readonly Node[]
}

/** `a.b(x).c(y)` as b(x), c(y). */
const chainOf = (call: Node): { readonly calls: readonly Call[]; readonly inner: readonly Node[] } => {
  const calls: Call[] = []
  const inner: Node[] = []
  let node: Node = call
  for (;;) {
    if (node.type === 'CallExpression') {
      inner.push(node)
      const callee = node['callee'] as Node
      if (callee.type !== 'MemberExpression') break
      const { property } = callee as unknown as { property: Node }
      const values = (node['arguments'] as { expression: Node }[]).map(({ expression }) => expression)
      const name = property['value']
      calls.unshift({ method: typeof name === 'string' ? name : '', values })
      node = callee['object'] as Node
    } else if (node.type === 'AwaitExpression') node = node['argument'] as Node
    else if (node.type === 'ParenthesisExpression') node = node['expression'] as Node
    else break
  }
  return { calls, inner }
}

const textsOf = (value: Node | undefined): string[] => {
  if (value === undefined) return []
  if (value.type === 'StringLiteral') return [value['value'] as string]
  if (value.type === 'ArrayExpression')
    return (value['elements'] as ({ expression: Node } | null)[]).flatMap((one) => textsOf(one?.expression))
  return []
}

const tableOf = (text: string): string => text.split(/\s/)[0] ?? ''
const aliasOf = (text: string): string => text.split(/\s+as\s+/)[1] ?? text

const readChain = (calls: readonly Call[], named: () => readonly string[], use: Use): void => {
  const methods = new Set(calls.map(({ method }) => method))
  const read = calls.filter(({ method }) => readers.test(method)).flatMap(({ values }) => textsOf(values[0]))
  for (const one of read) use(tableOf(one), 'select')
  for (const { method, values } of calls) {
    const isVariable = values[0]?.type === 'Identifier'
    const tables = isVariable ? named() : textsOf(values[0]).map(tableOf)
    if (isVariable && readers.test(method)) for (const table of tables) use(table, 'select')
    for (const table of tables) {
      if (method === 'insertInto') {
        use(table, 'insert')
        if ([...methods].some((name) => /^(returning|onConflict)/.test(name))) use(table, 'select')
        const isUpdate = calls.some(({ values: one }) =>
          nodesIn(one).some(({ value }) => value === 'doUpdateSet'),
        )
        if (isUpdate) use(table, 'update')
      }
      if (method === 'updateTable') for (const verb of ['update', 'select'] as const) use(table, verb)
      if (method === 'deleteFrom') for (const verb of ['delete', 'select'] as const) use(table, verb)
    }
    if (!locks.test(method)) continue
    const of = textsOf(values[0])
    for (const one of read) if (of.length === 0 || of.includes(aliasOf(one))) use(tableOf(one), 'lock')
  }
}

/** Items of a from clause, up to the next keyword. */
const itemsOf = (clause: string): string[] =>
  clause.split(',').map((item) => item.trim().split(/\s+/)[0]?.replaceAll('"', '') ?? '')

const readText = (given: string, use: Use): void => {
  const text = given.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ')
  for (const [, table = ''] of text.matchAll(/\binsert into "?([a-z_]+)/g)) {
    use(table, 'insert')
    if (/\b(returning|on conflict)\b/.test(text)) use(table, 'select')
    if (/\bdo update\b/.test(text)) use(table, 'update')
  }
  for (const [, table = ''] of text.matchAll(/(?<!for |key |do )\bupdate "?([a-z_]+)/g))
    for (const verb of ['update', 'select'] as const) use(table, verb)
  for (const [, table = ''] of text.matchAll(/\bdelete from "?([a-z_]+)/g))
    for (const verb of ['delete', 'select'] as const) use(table, verb)
  const read: string[] = []
  for (const [, clause = ''] of text.matchAll(
    /(?<!delete |distinct )\b(?:from|using) ((?:(?! (?:where|join|left|inner|cross|group|order|limit|for|returning|union|on|set)\b|[()$]).)*)/g,
  ))
    read.push(...itemsOf(clause))
  for (const [, table = ''] of text.matchAll(/\bjoin (?:lateral )?"?([a-z_]+)/g)) read.push(table)
  for (const table of read) use(table, 'select')
  if (/\bfor (no key )?(update|share)|\bfor key share/.test(text))
    for (const table of read) use(table, 'lock')
}

const quasis = (template: Node): string =>
  (template['quasis'] as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join('$')

const literalsIn = (value: unknown): string[] =>
  nodesIn(value, true).flatMap((node) => (node.type === 'StringLiteral' ? [node['value'] as string] : []))

const readNode = (path: string, declaration: object, use: Use): void => {
  /** For a table in a variable: the names in a list of the declaration, or else all in the file. */
  const named = (): readonly string[] => {
    const listed = nodesIn(declaration)
      .filter(({ type }) => type === 'ArrayExpression')
      .flatMap(literalsIn)
    return listed.length > 0 ? listed : literalsIn(sourceOf(path).body)
  }
  const done = new Set<Node>()
  for (const node of nodesIn(declaration)) {
    if (node.type === 'CallExpression' && !done.has(node)) {
      const { calls, inner } = chainOf(node)
      for (const one of inner) done.add(one)
      readChain(calls, named, use)
    } else if (node.type === 'TemplateLiteral') readText(quasis(node), use)
    else if (node.type === 'StringLiteral') readText(String(node['value']), use)
  }
}

/** The tables that these declarations use at the most, with all that they call. */
export const tableUseOf = (
  starts: readonly Place[],
  use: (table: string, verb: Verb, place: Place) => void,
): void => {
  for (const [place, node] of reachableFrom(starts))
    readNode(place.split('#')[0] ?? '', node, (table, verb) => use(table, verb, place))
}
