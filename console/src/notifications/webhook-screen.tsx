import { Screen } from '../ui/screen.tsx'

export const WebhookScreen = () => <Screen title="Webhook">{null}</Screen>
