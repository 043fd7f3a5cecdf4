import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Partners } from './partner-queries.ts'

export const ClientKeySection = ({ clientKey }: { readonly clientKey: Partners['ClientKey'] }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const client = useQueryClient()
  const [isReplacing, replacing] = useDisclosure()
  const create = async (): Promise<void> => {
    await zoetrope.partners.createClientKey()
    await client.invalidateQueries({ queryKey: queryKeys.partners })
  }
  const make = useMutation({ mutationFn: create })
  return (
    <>
      <Confirm
        isOpen={isReplacing}
        onClose={replacing.close}
        title={t('replaceTitle')}
        text={t('replaceText')}
        action={t('replaceKey')}
        onConfirm={create}
      />
      <ProblemAlert error={make.error} />
      {clientKey !== null && (
        <>
          <StatusBadge tone={clientKey.IsInUse ? 'ok' : 'neutral'}>
            {t(clientKey.IsInUse ? 'inUse' : 'notInUse')}
          </StatusBadge>
          <CopyField label={t('clientKeySet')} value={clientKey.KeySetURI} />
          <Text size="sm">{t('publicKey')}</Text>
          <CodeBlock code={JSON.stringify(clientKey.PublicKey, null, 2)} />
        </>
      )}
      {mayWrite && (
        <Group>
          <Button
            variant="default"
            loading={make.isPending}
            onClick={() => (clientKey === null ? make.mutate() : replacing.open())}
          >
            {t(clientKey === null ? 'makeKey' : 'replaceKey')}
          </Button>
        </Group>
      )}
    </>
  )
}
