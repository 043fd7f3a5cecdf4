import { startPage } from '../start-page.ts'
import { openLivePage } from './live-page.ts'

startPage('live', openLivePage)
