// Page for an <iframe>: only the calendar, with the query parameters as its attributes.
import './embed.ts'

import { formatCategoryList } from '../calendar/categories/category-list.ts'

const NAMES = ['view', 'date', 'categories', 'timezone', 'theme', 'lang']

const calendar = document.createElement('daybook-calendar')
const asked = new URLSearchParams(location.search)
for (const [name, value] of asked) if (NAMES.includes(name)) calendar.setAttribute(name, value)
// As in the addresses of the calendar, where names are not separated by commas.
if (asked.has('category')) calendar.setAttribute('categories', formatCategoryList(asked.getAll('category')))
// Screen readers go by the page.
if (calendar.lang) document.documentElement.lang = calendar.lang
document.body.append(calendar)
