import { Screen } from '../ui/screen.tsx'

export const CatalogScreen = () => <Screen title="Catalog">{null}</Screen>
