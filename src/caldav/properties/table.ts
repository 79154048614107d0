// Table of all live properties by name. Any other is a dead property that the account has set.
import { calendarProperties } from './calendar.ts'
import { coreProperties } from './core.ts'
import { principalProperties } from './principal.ts'
import { privilegeProperties } from './privileges.ts'
import type { PropertyDefinition, PropertyName } from './property.ts'
import { reportProperties } from './reports.ts'

export const properties: readonly PropertyDefinition[] = [
  ...coreProperties,
  ...principalProperties,
  ...privilegeProperties,
  ...reportProperties,
  ...calendarProperties,
]

const byName = new Map(properties.map((property) => [`{${property.ns}}${property.name}`, property]))

export const findDavProperty = ({ ns, name }: PropertyName): PropertyDefinition | undefined =>
  byName.get(`{${ns}}${name}`)
