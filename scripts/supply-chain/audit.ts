/** Outcome of `npm audit --json`. */
export interface AuditVerdict {
  readonly isPassed: boolean
  /** Empty when there is nothing to report. */
  readonly message: string
}

interface Advisory {
  readonly title?: string
  readonly url?: string
}

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly via: readonly (Advisory | string)[] }>
  >
  readonly message?: string
  readonly error?: { readonly summary?: string; readonly code?: string }
}

const parse = (text: string): AuditReport => {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return {}
  }
}

const severe = new Set(['high', 'critical'])

/** A registry that is offline or has no audits must not fail the checks, because the code is not at fault. */
export const judgeAudit = (stdout: string): AuditVerdict => {
  const { metadata, vulnerabilities = {}, message, error } = parse(stdout)
  if (metadata === undefined)
    return {
      isPassed: true,
      message: `warning: vulnerabilities not checked: ${message ?? error?.summary ?? error?.code ?? 'npm audit gave no report'}`,
    }
  const found = Object.entries(vulnerabilities).filter(([, { severity }]) => severe.has(severity))
  if (found.length === 0) return { isPassed: true, message: '' }
  const lines = found.flatMap(([name, { severity, via }]) => {
    const advisories = via.filter((one) => typeof one !== 'string')
    return [`${name}: ${severity}`, ...advisories.map(({ title, url }) => `  ${title} ${url}`)]
  })
  return {
    isPassed: false,
    message: ['Production packages have known vulnerabilities. Update them:', ...lines].join('\n'),
  }
}
