import { Tabs } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { IabCategories } from './iab-categories.tsx'
import { vocabularies } from './vocabularies.ts'
import { VocabularyPanel } from './vocabulary-panel.tsx'

export const CatalogScreen = () => {
  const t = useTexts('catalog.screen')
  const [address, go] = useAddress()
  const names = [...vocabularies.map(({ name }) => name), 'iab' as const]
  const shown = names.find((name) => name === address['kind']) ?? 'categories'
  return (
    <Screen title={t('title')}>
      <Tabs
        value={shown}
        onChange={(kind) =>
          go({ kind: kind === 'categories' ? undefined : (kind ?? undefined), search: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label={t('vocabularies')}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {vocabularies.map((vocabulary) => (
          <Tabs.Panel key={vocabulary.name} value={vocabulary.name} pt="md">
            <VocabularyPanel vocabulary={vocabulary} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="iab" pt="md">
          <IabCategories />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  )
}
