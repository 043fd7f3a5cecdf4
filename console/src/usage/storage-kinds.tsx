import './usage.css'
import { ColorSwatch, useComputedColorScheme } from '@mantine/core'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { kinds } from './kinds.ts'
import type { Usage } from './usage.ts'

const formatShare = (part: number, whole: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  )

/** Present bytes by kind, with the colours of the chart. */
export const StorageKinds = ({ usage }: { readonly usage: Usage }) => {
  const t = useTexts('usage.screen')
  const scheme = useComputedColorScheme()
  return (
    <>
      <div className="usage-share" aria-hidden>
        {kinds.map((kind) => (
          <span key={kind.name} style={{ flexGrow: usage[kind.field], background: kind[scheme] }} />
        ))}
      </div>
      <dl className="usage-kinds" aria-label={t('kinds')}>
        {kinds.map((kind) => (
          <div key={kind.name}>
            <dt>
              <ColorSwatch size={10} color={kind[scheme]} aria-hidden />
              {t(kind.name)}
            </dt>
            <dd>{`${formatBytes(usage[kind.field])} · ${formatShare(usage[kind.field], usage.StorageBytes)}`}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
