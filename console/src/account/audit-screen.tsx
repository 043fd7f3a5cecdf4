import { Screen } from '../ui/screen.tsx'

export const AuditScreen = () => <Screen title="Audit">{null}</Screen>
