// The size of printed text: as usual, or large for a notice board. Kept while the page is open.
import { createStore } from '../../ui/store.ts'

export type PrintSize = 'normal' | 'large'

export const printSize = createStore<PrintSize>('normal')
