import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useConnection } from './connection.ts'
import { defineWords } from './words.ts'

const useWords = defineWords('connection', {
  en: { lost: 'The server cannot be reached. It is being tried again; nothing that you typed is lost.' },
  de: { lost: 'Der Server ist nicht erreichbar. Es wird weiter versucht; Ihre Eingaben bleiben erhalten.' },
})

export const ConnectionNotice = () => {
  const t = useWords()
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
