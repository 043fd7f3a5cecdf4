import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { escapeHtml } from '../http/responses/escape-html.ts'

const languages = { bash, go, ini, javascript, json, nginx, php, python, sql, typescript, xml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

/** Names after the fence of a code block that are not names or aliases of the highlighter. */
const aliases: Readonly<Record<string, string>> = { console: 'bash' }

/** Code as HTML, with a class for each kind of word. Code in an unknown language stays plain. */
export const highlight = (code: string, language: string): string => {
  const name = aliases[language] ?? language
  return highlighter.getLanguage(name) === undefined
    ? escapeHtml(code)
    : highlighter.highlight(code, { language: name }).value
}
