import { readdir, readFile } from 'node:fs/promises'
import { parseSync } from '@swc/core'

interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

/** A call such as `t('key', { name })`. Null = not a literal. */
interface TextCall {
  readonly variable: string
  readonly keys: readonly string[] | null
  readonly values: readonly string[] | null
}

export interface SourceTexts {
  readonly path: string
  readonly literals: ReadonlySet<string>
  /** Template literals, as patterns: `lasts-${days}`. */
  readonly patterns: readonly RegExp[]
  readonly sectionsOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly calls: readonly TextCall[]
  /** JSX text and attributes that hold text, outside of the locale files. */
  readonly strayTexts: readonly string[]
}

const textAttributes = new Set([
  ...['label', 'placeholder', 'title', 'alt', 'description', 'aria-label', 'heading', 'confirm', 'explained'],
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat(2)
    .flatMap((value) => {
      if (isNode(value)) return [value]
      const inner = (value as { expression?: unknown } | null | undefined)?.expression
      return isNode(inner) ? [inner] : []
    })

/** The keys that an argument can have: `'a'`, `isOn ? 'a' : 'b'`. */
const literalKeys = (node: Node): readonly string[] | null => {
  if (node.type === 'StringLiteral') return [node['value'] as string]
  if (node.type === 'ParenthesisExpression') return literalKeys(node['expression'] as Node)
  if (node.type !== 'ConditionalExpression') return null
  const first = literalKeys(node['consequent'] as Node)
  const second = literalKeys(node['alternate'] as Node)
  return first === null || second === null ? null : [...first, ...second]
}

const propertyNames = (node: Node): readonly string[] | null => {
  if (node.type !== 'ObjectExpression') return null
  const names = (node['properties'] as Node[]).map((property) => {
    if (property.type === 'Identifier') return property['value']
    const key = property['key'] as Node | undefined
    return property.type === 'KeyValueProperty' && key?.type === 'Identifier' ? key['value'] : null
  })
  return names.every((name): name is string => typeof name === 'string') ? names : null
}

const calleeOf = (node: Node): unknown => (node['callee'] as Node)['value']
const argumentsOf = (node: Node): Node[] =>
  (node['arguments'] as { expression: Node }[]).map(({ expression }) => expression)

const readSource = (path: string, code: string): SourceTexts => {
  const literals = new Set<string>()
  const patterns: RegExp[] = []
  const sectionsOf = new Map<string, Set<string>>()
  const calls: TextCall[] = []
  const strayTexts: string[] = []
  const addSection = (variable: unknown, section: unknown): void => {
    const name = String(variable)
    sectionsOf.set(name, (sectionsOf.get(name) ?? new Set()).add(String(section)))
  }
  const visit = (node: Node): void => {
    if (node.type === 'StringLiteral') literals.add(node['value'] as string)
    if (node.type === 'TemplateLiteral') {
      const parts = (node['quasis'] as { raw: string }[]).map(({ raw }) => RegExp.escape(raw))
      if (parts.some((part) => part !== '')) patterns.push(new RegExp(`^${parts.join('.+')}$`))
    }
    if (node.type === 'VariableDeclarator') {
      const init = node['init'] as Node | null
      if (init?.type === 'CallExpression' && calleeOf(init) === 'useTexts')
        addSection((node['id'] as Node)['value'], argumentsOf(init)[0]?.['value'])
    }
    const annotation = (node['typeAnnotation'] as Node | undefined)?.['typeAnnotation'] as Node | undefined
    if (node.type === 'Identifier' && annotation?.type === 'TsTypeReference') {
      const [section] = ((annotation['typeParams'] as Node | null)?.['params'] ?? []) as Node[]
      const literal = section?.['literal'] as Node | undefined
      if ((annotation['typeName'] as Node)['value'] === 'Translate' && literal !== undefined)
        addSection(node['value'], literal['value'])
    }
    if (node.type === 'CallExpression' && argumentsOf(node).length > 0) {
      const [key, values] = argumentsOf(node)
      calls.push({
        variable: String(calleeOf(node)),
        keys: key === undefined ? null : literalKeys(key),
        values: values === undefined ? [] : propertyNames(values),
      })
    }
    if (node.type === 'JSXText' && /\p{L}{2}/u.test(node['value'] as string))
      strayTexts.push((node['value'] as string).trim())
    if (node.type === 'JSXAttribute' && textAttributes.has(String((node['name'] as Node)['value']))) {
      const value = node['value'] as Node | null
      if (value?.type === 'StringLiteral' && /\p{L}{2}/u.test(value['value'] as string))
        strayTexts.push(value['value'] as string)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  for (const statement of parseSync(code, { syntax: 'typescript', tsx: path.endsWith('x') }).body)
    visit(statement as unknown as Node)
  return { path, literals, patterns, sectionsOf, calls, strayTexts }
}

export const readSources = async (folder: URL): Promise<SourceTexts[]> => {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(
    names
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('locales/'))
      .map(async (name) => readSource(name, await readFile(new URL(name, folder), 'utf8'))),
  )
}
