import { ManifestError } from './manifest-error.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string | number | undefined>
  children: readonly XmlElement[]
  /** Replaces `children`. */
  text?: string
}

export function element(
  name: string,
  attributes: XmlElement['attributes'],
  children: readonly XmlElement[] = [],
): XmlElement {
  return { name, attributes, children }
}

export function textElement(name: string, text: string): XmlElement {
  return { name, attributes: {}, children: [], text }
}

/** Writes a document of elements, attributes and text. Undefined attributes are omitted. */
export function writeXml(root: XmlElement): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>']
  pushElement(lines, root, '')
  return `${lines.join('\n')}\n`
}

function pushElement(
  lines: string[],
  { name, attributes, children, text }: XmlElement,
  indent: string,
): void {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? value : escaped(String(value))}"`)
  const open = `${indent}<${name}${written.join('')}`
  if (text !== undefined) {
    lines.push(`${open}>${escaped(text)}</${name}>`)
    return
  }
  if (children.length === 0) {
    lines.push(`${open}/>`)
    return
  }
  lines.push(`${open}>`)
  for (const child of children) pushElement(lines, child, `${indent}  `)
  lines.push(`${indent}</${name}>`)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(text: string): string {
  // XML 1.0, 2.2 forbids these characters, even as character references.
  if (/[^\t\n\r\P{Cc}\u007f-\u009f]|[\ufffe\uffff]/u.test(text) || !text.isWellFormed())
    throw new ManifestError(`${JSON.stringify(text)} contains a character that XML forbids. Remove it.`)
  // XML 1.0, 3.3.3: parsers normalize unescaped tabs and line ends in attributes to spaces.
  return text.replace(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`)
}
