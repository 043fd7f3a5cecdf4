import { ColorSwatch, Group, Table, useComputedColorScheme } from '@mantine/core'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { WideTable } from '../ui/lists/wide-table.tsx'
import { kinds } from './kinds.ts'
import type { Usage } from './usage.ts'

const formatShare = (part: number, whole: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  )

export const StorageKinds = ({ usage }: { readonly usage: Usage }) => {
  const t = useTexts('usage.screen')
  const scheme = useComputedColorScheme()
  return (
    <Section title={t('kinds')}>
      <WideTable label={t('kinds')} heads={[t('kind'), t('storage'), t('share')]} minWidth={300}>
        {kinds.map((kind) => (
          <Table.Tr key={kind.name}>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <ColorSwatch size={12} color={kind[scheme]} aria-hidden />
                {t(kind.name)}
              </Group>
            </Table.Td>
            <Table.Td>{formatBytes(usage[kind.field])}</Table.Td>
            <Table.Td>{formatShare(usage[kind.field], usage.StorageBytes)}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  )
}
