import { writeFile } from 'node:fs/promises'
import { consoleProblemTexts } from './console-problem-texts.ts'
import { reasonsPage } from './reasons-page.ts'

const path = new URL('../../console/src/locales/en/problems.json', import.meta.url)
await writeFile(path, `${JSON.stringify(consoleProblemTexts(), null, 2)}\n`)
await writeFile(new URL('../../docs/error-reasons.md', import.meta.url), reasonsPage())
