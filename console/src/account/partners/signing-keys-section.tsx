import { Button, Group } from '@mantine/core'
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
import { DataTable } from '../../ui/lists/data-table.tsx'
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
    <>
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
      <CopyField label={t('keySet')} value={provider.SigningKeySetURI} />
      <DataTable
        id="signing-keys"
        label={t('keys')}
        rows={provider.SigningKeys}
        keyOf={({ Kid }) => Kid}
        columns={[
          { key: 'key', header: t('key'), cell: ({ Kid }) => Kid },
          { key: 'state', header: t('keyState'), width: 260, cell: stateOf },
        ]}
      />
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
    </>
  )
}
