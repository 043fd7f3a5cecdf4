import { useTexts } from '../shell/texts.ts'
import { Screen } from '../ui/screen.tsx'
import { SectionTabs } from '../ui/layout/section-tabs.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { IabCategories } from './iab-categories.tsx'
import { vocabularies } from './vocabularies.ts'
import { VocabularyPanel } from './vocabulary-panel.tsx'

const panelOf = (name: string) => {
  const vocabulary = vocabularies.find((one) => one.name === name)
  return vocabulary === undefined ? <IabCategories /> : <VocabularyPanel vocabulary={vocabulary} />
}

export const CatalogScreen = () => {
  const t = useTexts('catalog.screen')
  const [address, go] = useAddress()
  const names = [...vocabularies.map(({ name }) => name), 'iab' as const]
  const shown = names.find((name) => name === address['kind']) ?? 'categories'
  return (
    <Screen title={t('title')}>
      <SectionTabs
        label={t('vocabularies')}
        open={shown}
        onOpen={(kind) => go({ kind: kind === 'categories' ? undefined : kind, search: undefined })}
        sections={names.map((name) => ({ name, title: t(name), panel: panelOf(name) }))}
      />
    </Screen>
  )
}
