import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import type { ApiKey } from '../account-queries.ts'
import { KeyForm } from './key-form.tsx'
import { KeyPolicyForm } from './key-policy.tsx'
import { RotateKey } from './rotate-key.tsx'

export type KeyAct =
  | { readonly kind: 'create' }
  | { readonly kind: 'policy' }
  | { readonly kind: 'change' | 'rotate' | 'revoke'; readonly apiKey: ApiKey }

export const KeyDialogs = ({
  act,
  onClose,
}: {
  readonly act: KeyAct | null
  readonly onClose: () => void
}) => {
  const t = useTexts('account.apiKeys')
  const client = useQueryClient()
  // Keeps the key while the closing animation runs.
  const [last, setLast] = useState(act)
  if (act !== null && act !== last) setLast(act)
  if (last === null) return null
  const isOpen = act !== null
  if (last.kind === 'create')
    return (
      <Modal
        opened={isOpen}
        onClose={onClose}
        title={t('create')}
        size="xl"
        closeOnClickOutside={false}
        // The new key is shown once.
        closeOnEscape={false}
      >
        <KeyForm apiKey={null} onClose={onClose} />
      </Modal>
    )
  if (last.kind === 'policy')
    return (
      <Modal opened={isOpen} onClose={onClose} title={t('policy')}>
        <KeyPolicyForm onClose={onClose} />
      </Modal>
    )
  const { kind, apiKey } = last
  const name = apiKey.Label
  if (kind === 'revoke')
    return (
      <Confirm
        isOpen={isOpen}
        onClose={onClose}
        title={t('revokeTitle', { name })}
        text={t('revokeText')}
        action={t('revoke')}
        onConfirm={async () => {
          await zoetrope.apiKeys.revoke(apiKey.Id)
          await client.invalidateQueries({ queryKey: queryKeys.apiKeys })
        }}
      />
    )
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t(kind === 'change' ? 'changeTitle' : 'rotateTitle', { name })}
      size="xl"
      closeOnClickOutside={false}
    >
      {kind === 'change' ? (
        <KeyForm apiKey={apiKey} onClose={onClose} />
      ) : (
        <RotateKey apiKey={apiKey} onClose={onClose} />
      )}
    </Modal>
  )
}
