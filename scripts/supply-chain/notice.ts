import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { productionPackages, type Lock, type ThirdPartyPackage } from './production-packages.ts'

const introduction = `Zoetrope
Licensed under the Apache License, Version 2.0 (see LICENSE).

Zoetrope installs, and its console and player contain, the following software of others. \`npm run notice\` writes
this file. The versions are in package-lock.json, and in the bill of materials that \`npm run sbom\` writes.
ffmpeg and bubblewrap are not part of Zoetrope: the operator installs them as programs.
`

/** The text of a licence also says "Copyright Holder" at the beginning of lines. */
const isCopyright = (line: string): boolean =>
  /^(?:Copyright|COPYRIGHT|\([cC]\)|©)\s+(?!holder)\S/i.test(line.trim())

interface LicenseText {
  readonly copyrights: readonly string[]
  readonly body: string
}

/** Splits off the copyright lines, so that equal licences of many packages are printed once. */
const splitText = (text: string): LicenseText => {
  const lines = text.replaceAll('\r', '').split('\n')
  if (/^\s*apache license/i.test(text)) {
    const copyrights = lines.filter((line) => /^\s*copyright (?:\(c\) )?\d{4}/i.test(line))
    return {
      copyrights: copyrights.map((line) => line.trim()),
      body: 'The text of the licence is in LICENSE.',
    }
  }
  const body = lines.filter((line) => !isCopyright(line)).join('\n')
  return { copyrights: lines.filter(isCopyright).map((line) => line.trim()), body: body.trim() }
}

const licenseFile = /^(?:licen[cs]e|copying|notice|unlicense)/i

const readTexts = async (root: string, { path }: ThirdPartyPackage): Promise<readonly string[]> => {
  const names = (await readdir(join(root, path))).filter((name) => licenseFile.test(name)).sort()
  return Promise.all(names.map((name) => readFile(join(root, path, name), 'utf8')))
}

/** Equal up to line breaks, indentation, quotation marks and letter case. */
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

interface Group {
  readonly body: string
  readonly packages: string[]
}

const line = '-'.repeat(80)

/** Returns the text of NOTICE, with the licence texts of the installed packages. */
export const noticeOf = async (lock: Lock, root: string): Promise<string> => {
  const packages = productionPackages(lock)
  const groups = new Map<string, Group>()
  for (const one of packages) {
    // Packages for other platforms are not installed here, and NOTICE must not depend on the platform.
    const texts = one.isForPlatform ? [] : await readTexts(root, one)
    for (const text of texts.length === 0 ? [''] : texts) {
      const { copyrights, body } = splitText(text)
      const key = `${one.license}\n${comparable(body)}`
      const group = groups.get(key) ?? { body, packages: [] }
      group.packages.push([`${one.name} (${one.license})`, ...copyrights].join('\n    '))
      groups.set(key, group)
    }
  }
  const sections = [...groups.values()].map(
    ({ body, packages: names }) =>
      `${[...new Set(names)].join('\n')}\n\n${body === '' ? 'The package contains no separate text of its licence.' : body}\n`,
  )
  return [introduction, ...sections].join(`\n${line}\n\n`)
}
