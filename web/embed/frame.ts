// Page for an <iframe>: only the calendar, with the query parameters as its attributes.
import './embed.ts'

const NAMES = ['view', 'date', 'category', 'timezone', 'theme']

const calendar = document.createElement('daybook-calendar')
for (const [name, value] of new URLSearchParams(location.search))
  if (NAMES.includes(name)) calendar.setAttribute(name, value)
document.body.append(calendar)
