// What another site loads: `<daybook-upcoming>` at once, and `<daybook-calendar>` whose grid comes when one is on the page.
import { createClient } from '../api/client.ts'
import { CalendarElement } from './calendar-element.ts'
import { setHome } from './home.ts'
import { UpcomingElement } from './upcoming-element.ts'

// This file lies at the root of the calendar it shows; anonymous, so that nobody's session goes along.
const root = import.meta.url.replace(/[^/]*$/, '')
setHome({ root, call: createClient({ base: `${root}api-root/calendar/v1`, isSigned: false }) })

// Loaded twice on one page, the first one stays.
if (!customElements.get('daybook-upcoming')) customElements.define('daybook-upcoming', UpcomingElement)
if (!customElements.get('daybook-calendar')) customElements.define('daybook-calendar', CalendarElement)
