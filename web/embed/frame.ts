// Page for an <iframe>: only the calendar, with the query parameters as its attributes.
import './embed.ts'

const NAMES = ['view', 'date', 'category', 'timezone', 'theme', 'lang']

const calendar = document.createElement('daybook-calendar')
for (const [name, value] of new URLSearchParams(location.search))
  if (NAMES.includes(name)) calendar.setAttribute(name, value)
// Screen readers go by the page.
if (calendar.lang) document.documentElement.lang = calendar.lang
document.body.append(calendar)
