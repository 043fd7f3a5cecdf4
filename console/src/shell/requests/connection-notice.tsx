import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useConnection } from './connection.ts'
import { useTexts } from '../texts.ts'

export const ConnectionNotice = () => {
  const t = useTexts('shell.connection')
  return (
    <div role="status">
      {useConnection() === 'lost' && (
        <Alert color="yellow" mb="md" icon={<IconPlugConnectedX aria-hidden />}>
          {t('lost')}
        </Alert>
      )}
    </div>
  )
}
