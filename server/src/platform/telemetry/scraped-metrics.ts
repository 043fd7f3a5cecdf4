import { Counter, Gauge, type Registry } from 'prom-client'

/** One value of a metric, with the values of its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface ScrapedMetric {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Called by each scrape. */
  readonly read: () => number | readonly Sample[] | Promise<readonly Sample[]>
}

const samplesOf = async (read: ScrapedMetric['read']): Promise<readonly Sample[]> => {
  const found = await read()
  return typeof found === 'number' ? [{ value: found }] : found
}

/** Adds a gauge to this registry only: several servers can run in one process, as in tests. */
export const addGauge = (registry: Registry, { name, help, labelNames = [], read }: ScrapedMetric): void => {
  const collect = async function (this: Gauge): Promise<void> {
    const samples = await samplesOf(read)
    this.reset()
    // The reset sets a gauge without labels to 0.
    if (samples.length === 0 && labelNames.length === 0) this.remove()
    for (const { labels = {}, value } of samples) this.set(labels, value)
  }
  registry.registerMetric(new Gauge({ name, help, labelNames: [...labelNames], registers: [], collect }))
}

/** Adds a counter whose total another part of the process keeps. */
export const addCounter = (
  registry: Registry,
  { name, help, labelNames = [], read }: ScrapedMetric,
): void => {
  const collect = async function (this: Counter): Promise<void> {
    const samples = await samplesOf(read)
    this.reset()
    for (const { labels = {}, value } of samples) this.inc(labels, value)
  }
  registry.registerMetric(new Counter({ name, help, labelNames: [...labelNames], registers: [], collect }))
}
