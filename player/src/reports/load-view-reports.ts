import type { ViewReports, ViewReportsOptions } from './view-reports.ts'

/** Loads the code of the reports before the viewer plays, so that it does not compete with the first segments. */
export const prepareViewReports = (): void => void import('./view-reports.ts').catch(() => undefined)

/** Loads the reports on play. They are not worth an error: without them the view is not counted. */
export const startViewReports = async (options: ViewReportsOptions): Promise<ViewReports | null> => {
  try {
    return (await import('./view-reports.ts')).reportView(options)
  } catch {
    return null
  }
}
