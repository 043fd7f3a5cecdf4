import type { XmlElement } from '../src/xml.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Parses elements and attributes. Throws on XML 1.0 that is not well-formed and on text between elements. */
export function parseXml(text: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
  if (!text.startsWith(declaration)) throw new Error('no XML declaration')
  let position = declaration.length
  const take = (pattern: RegExp): string[] | undefined => {
    const sticky = new RegExp(pattern.source, 'uy')
    sticky.lastIndex = position
    const match = sticky.exec(text)
    if (match) position = sticky.lastIndex
    return match ? [...match] : undefined
  }
  const fail = (what: string): never => {
    throw new Error(`${what} at ${JSON.stringify(text.slice(position, position + 40))}`)
  }

  const parseAttributes = (): Record<string, string> => {
    const attributes: Record<string, string> = {}
    for (;;) {
      const [, name, value] = take(/\s+([A-Za-z][\w:.-]*)="([^"<]*)"/) ?? []
      if (name === undefined || value === undefined) return attributes
      if (name in attributes) fail(`second attribute ${name}`)
      attributes[name] = unescaped(value)
    }
  }
  const parseElement = (): XmlElement => {
    const [, name] = take(/\s*<([A-Za-z][\w:.-]*)/) ?? []
    if (name === undefined) return fail('no element')
    const attributes = parseAttributes()
    if (take(/\s*\/>/)) return { name, attributes, children: [] }
    if (!take(/\s*>/)) return fail(`unfinished tag ${name}`)
    const children: XmlElement[] = []
    for (;;) {
      const [, closed] = take(/\s*<\/([\w:.-]+)>/) ?? []
      if (closed === name) return { name, attributes, children }
      if (closed !== undefined) return fail(`${closed} closes ${name}`)
      children.push(parseElement())
    }
  }

  const root = parseElement()
  take(/\s*/)
  return position === text.length ? root : fail('text behind the root element')
}

function unescaped(value: string): string {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(value))
    throw new Error(`illegal character in ${JSON.stringify(value)}`)
  return value.replace(/&(?:#([0-9]+);|([a-z]+);)?/g, (_, code?: string, name = '') => {
    const character = code === undefined ? entities[name] : String.fromCodePoint(Number(code))
    if (character === undefined) throw new Error(`unknown reference in ${JSON.stringify(value)}`)
    return character
  })
}

export function elementsNamed(root: XmlElement, name: string): XmlElement[] {
  const below = root.children.flatMap((child) => elementsNamed(child, name))
  return root.name === name ? [root, ...below] : below
}
