import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState, type ComponentProps } from 'react'
import UPlot from 'uplot'
import { currentLanguage, type Language } from '../../shell/texts.ts'

export type ChartOptions = Pick<UPlot.Options, 'axes' | 'series'> & Partial<UPlot.Options>

export interface ChartLook {
  /** Colours and font of axes, for the current scheme. */
  readonly axis: Pick<UPlot.Axis, 'stroke' | 'font' | 'grid' | 'ticks'>
  readonly scheme: 'light' | 'dark'
  readonly language: Language
}

/** Range from zero to a little above the largest value. */
export const fromZero =
  (headroom: number): UPlot.Range.Function =>
  (_chart, _min, max) => [0, Math.max(1, (max || 0) * headroom)]

/**
 * Frame of all charts: as wide as its parent, drawn again for another width, colour scheme or language. New
 * `data` alone does not recreate the chart, so memoize `options`.
 */
export const Chart = ({
  heightPixels,
  data,
  options,
  cursorAt = null,
  ...rest
}: {
  readonly heightPixels: number
  readonly data: UPlot.AlignedData
  readonly options: (look: ChartLook) => ChartOptions
  /** Index of the marked value. */
  readonly cursorAt?: number | null
} & Omit<ComponentProps<'div'>, 'ref' | 'style'>) => {
  const scheme = useComputedColorScheme()
  const language = currentLanguage()
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const target = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(sizeRef, target)
  const [plot, setPlot] = useState<UPlot | null>(null)
  useEffect(() => {
    if (target.current === null || width === 0) return undefined
    const styles = getComputedStyle(target.current)
    const line = { stroke: styles.getPropertyValue('--mantine-color-default-border'), width: 1 }
    const axis = {
      stroke: styles.getPropertyValue('--mantine-color-dimmed'),
      font: `12px ${styles.fontFamily}`,
      ...{ grid: line, ticks: line },
    }
    const chart = new UPlot(
      { width, height: heightPixels, legend: { show: false }, ...options({ axis, scheme, language }) },
      undefined,
      target.current,
    )
    setPlot(chart)
    return () => {
      setPlot(null)
      chart.destroy()
    }
  }, [width, heightPixels, options, scheme, language])
  useEffect(() => {
    // Without `batch`, the scales are known only after this task, too late for the cursor below.
    plot?.batch(() => plot.setData(data))
  }, [plot, data])
  useEffect(() => {
    const x = cursorAt === null ? undefined : data[0][cursorAt]
    if (x !== undefined) plot?.setCursor({ left: plot.valToPos(x, 'x'), top: 0 }, false)
  }, [plot, data, cursorAt])
  return <div {...rest} ref={ref} style={{ minHeight: heightPixels, overflow: 'hidden' }} />
}
