// Every property there is, by name. What is not in here belongs to whoever set it.
import { calendarProperties } from './calendar.ts'
import { coreProperties } from './core.ts'
import { peopleProperties } from './people.ts'
import { privilegeProperties } from './privileges.ts'
import type { Name, Property } from './property.ts'
import { reportProperties } from './reports.ts'

export const properties: readonly Property[] = [
  ...coreProperties,
  ...peopleProperties,
  ...privilegeProperties,
  ...reportProperties,
  ...calendarProperties,
]

const byName = new Map(properties.map((property) => [`{${property.ns}}${property.name}`, property]))

export const findProperty = ({ ns, name }: Name): Property | undefined => byName.get(`{${ns}}${name}`)
