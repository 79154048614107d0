// Script for other sites: defines `<daybook-upcoming>` and `<daybook-calendar>`.
import { createClient } from '../api/client.ts'
import { CalendarElement } from './calendar-element.ts'
import { setHome } from './home.ts'
import { UpcomingElement } from './upcoming-element.ts'

// This script is served from the root of the calendar it shows. Requests are anonymous: no session cookie is sent.
const root = import.meta.url.replace(/[^/]*$/, '')
const api = `${root}api-root/calendar/v1`
setHome({ root, api, call: createClient({ base: api, isSigned: false }) })

// If the script is loaded twice on one page, the first definition stays.
if (!customElements.get('daybook-upcoming')) customElements.define('daybook-upcoming', UpcomingElement)
if (!customElements.get('daybook-calendar')) customElements.define('daybook-calendar', CalendarElement)
