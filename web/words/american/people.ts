// Words of the administration of people in American English.
import * as english from '../english/people.ts'

const { auditPage, categoriesPage } = english.admin

export const admin: typeof english.admin = {
  ...english.admin,
  auditPage: { ...auditPage, detail: { ...auditPage.detail, color: 'color' } },
  categoriesPage: {
    ...categoriesPage,
    lead: 'Categories give events a color and an order. Anyone who writes events can still type any other category; it is shown without a color of its own until you adopt it here.',
    deleteWarning: 'Events keep the word and are shown without its color.',
    freeLead: 'Events have these too. Adopt one to give it a color; the events stay as they are.',
    choose: 'Choose color…',
    color: 'Color',
    colorHint: 'Any color. Pages show the nearest shade that is easy to read, here by day and by night.',
  },
}
