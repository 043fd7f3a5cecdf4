import { skipFileChecks } from '../platform/base/skip-file-checks.ts'

skipFileChecks()
// Imported afterwards, because static imports load before the first statement runs.
const { runCommandLine } = await import('./command-line.ts')
await runCommandLine()
