import { Screen } from '../ui/screen.tsx'

export const ApiKeysScreen = () => <Screen title="ApiKeys">{null}</Screen>
