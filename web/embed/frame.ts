// The page for an <iframe>: the whole calendar and nothing around it, as the address says.
import './embed.ts'

const NAMES = ['view', 'date', 'category', 'timezone', 'theme']

const calendar = document.createElement('daybook-calendar')
for (const [name, value] of new URLSearchParams(location.search))
  if (NAMES.includes(name)) calendar.setAttribute(name, value)
document.body.append(calendar)
