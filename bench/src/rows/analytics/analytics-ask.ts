import { makeManyViews, viewDays, type ManyViews } from '../../content/many-views.ts'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { median, percentile } from '../../harness/measure.ts'
import { startProduct, type Product } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'

const goalMs = 100
const dayMs = 86_400_000

interface Question {
  readonly name: string
  readonly path: (asked: { readonly from: string; readonly to: string; readonly index: number }) => string
  readonly days?: number
}

const questionsOf = ({ top: { projectId: project, fileId: file } }: ManyViews): Question[] => {
  const over = (metric: string, rest: string) => (asked: { from: string; to: string }) =>
    `/analytics/${metric}?from=${asked.from}&to=${asked.to}&${rest}`
  const ofFile = (what: string) => (asked: { from: string; to: string }) =>
    `/projects/${project}/files/${file}/analytics${what}?from=${asked.from}&to=${asked.to}`
  return [
    { name: 'views of each day', path: over('views', 'interval=day') },
    { name: 'views of each month', path: over('views', 'interval=month') },
    { name: 'views of each hour of 24 h', path: over('views', 'interval=hour'), days: 1 },
    { name: 'watch time of each day of a project', path: over('watchtime', `projectId=${project}`) },
    { name: 'start-up time of each month', path: over('startuptime', 'interval=month') },
    { name: 'rebuffering of each month', path: over('rebuffering', 'interval=month') },
    { name: 'unique viewers of each month', path: over('uniqueviewers', 'interval=month') },
    { name: 'views of each day of a file', path: over('views', `fileId=${file}`) },
    { name: 'top files by views', path: over('views', 'groupBy=file&limit=10') },
    { name: 'top files by views in 30 days', path: over('views', 'groupBy=file&limit=10'), days: 30 },
    { name: 'top files by start-up time', path: over('startuptime', 'groupBy=file&limit=10') },
    { name: 'top files by unique viewers', path: over('uniqueviewers', 'groupBy=file&limit=10') },
    { name: 'top files of a project', path: over('views', `groupBy=file&limit=10&projectId=${project}`) },
    { name: 'top projects', path: over('views', 'groupBy=project&limit=10') },
    { name: 'top sites', path: over('views', 'groupBy=site&limit=10') },
    { name: 'top sites of a project', path: over('views', `groupBy=site&limit=10&projectId=${project}`) },
    { name: 'figures of a file', path: ofFile('') },
    { name: 'retention of a file', path: ofFile('/retention') },
    { name: 'heat map of a file', path: ofFile('/heatmap') },
    { name: 'hotspots of a file', path: ofFile('/hotspots') },
    { name: 'viewers of this moment', path: () => '/analytics/realtime' },
    { name: 'largest number of viewers', path: over('concurrentviewers', 'interval=hour'), days: 2 },
  ]
}

/** The questions of the console, one after the other, about the sums of 10⁷ views over 400 days. */
export const measureAnalyticsAsk = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  return ask(context, product, await makeManyViews(context, product))
}

export const ask = async (context: BenchContext, product: Product, made: ManyViews): Promise<Row[]> => {
  const rounds = context.isQuick ? 10 : 40
  const questions = questionsOf(made)
  context.say(`${questions.length} questions, ${rounds} times each`)
  const takenMs = new Map<Question, number[]>(questions.map((question) => [question, []]))
  // The first two rounds fill the caches.
  for (let round = -2; round < rounds; round += 1)
    for (const [question, all] of takenMs) {
      const toMs = Date.now() - (round + 2) * 60_000
      const fromMs = toMs - Math.min(question.days ?? viewDays, viewDays - 1) * dayMs
      const asked = {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        index: round,
      }
      const startedMs = performance.now()
      await product.call('GET', question.path(asked))
      if (round >= 0) all.push(performance.now() - startedMs)
    }
  const sizes = Object.entries(made.rows)
    .map(([name, count]) => `${name} ${Math.round(count / 1_000)} k`)
    .join(', ')
  context.say(`${made.views} views; rows: ${sizes}`)
  return [...takenMs].map(([{ name, days = viewDays }, all]) =>
    makeRow({
      name: `${name}: p95`,
      value: percentile(all, 95),
      unit: 'ms',
      goal: { of: 'value', atMost: goalMs },
      note: `${days} days; median ${median(all).toFixed(1)} ms`,
    }),
  )
}
