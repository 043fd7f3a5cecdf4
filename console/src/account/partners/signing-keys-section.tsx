import { Button, Group, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { WideTable } from '../../ui/lists/wide-table.tsx'
import type { Provider } from './partner-queries.ts'

export const SigningKeysSection = ({ provider }: { readonly provider: Provider }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const client = useQueryClient()
  const [act, setAct] = useState<'rotate' | 'compromised'>('rotate')
  const [isOpen, { open, close }] = useDisclosure()
  const stateOf = ({ IsActive, ActiveFrom, PublishedUntil }: Provider['SigningKeys'][number]): string => {
    if (IsActive) return t('active')
    return PublishedUntil === null
      ? t('coming', { when: formatTime(ActiveFrom) })
      : t('published', { when: formatTime(PublishedUntil) })
  }
  return (
    <Section title={t('keys')}>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t(`${act}Title`)}
        text={t(`${act}Text`)}
        action={t(act)}
        onConfirm={async () => {
          await zoetrope.partners.rotateSigningKeys({ IsCompromised: act === 'compromised' })
          await client.invalidateQueries({ queryKey: queryKeys.partners })
        }}
      />
      <Text size="sm">{t('keysExplained')}</Text>
      <CopyField label={t('keySet')} value={provider.SigningKeySetURI} />
      <WideTable label={t('keys')} heads={[t('key'), t('keyState')]} minWidth={480}>
        {provider.SigningKeys.map((key) => (
          <Table.Tr key={key.Kid}>
            <Table.Td ff="monospace">{key.Kid}</Table.Td>
            <Table.Td>{stateOf(key)}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
      {mayWrite && (
        <Group>
          {(['rotate', 'compromised'] as const).map((one) => (
            <Button
              key={one}
              variant="default"
              onClick={() => {
                setAct(one)
                open()
              }}
            >
              {t(one)}
            </Button>
          ))}
        </Group>
      )}
    </Section>
  )
}
