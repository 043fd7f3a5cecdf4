import { watchBusyFocus } from './busy-focus.ts'
import { watchDialogFocus } from './dialog-focus.ts'

watchBusyFocus()
watchDialogFocus()
