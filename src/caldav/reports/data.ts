// Objects in the answer of a report, with as much of their calendar data as was asked for. RFC 4791 §9.6.
import type { CalendarObject } from '../../actions/objects.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { AppError } from '../../errors.ts'
import type { ReadObject } from '../calendar-data/instances.ts'
import { parseDataRequest } from '../calendar-data/parse.ts'
import { isWholeAsked, selectData } from '../calendar-data/select.ts'
import { errorElement } from '../errors.ts'
import { makeResponder, response, statusElement } from '../properties/answer.ts'
import { findAsked } from '../properties/asked.ts'
import { objectResource, type Scene } from '../resources.ts'
import { CALDAV, DAV } from '../xml/names.ts'
import { findChild, type XmlElement } from '../xml/parse.ts'
import type { Xml } from '../xml/write.ts'

/** `read` is there where a filter has looked into the object already. */
export type ObjectResponder = (object: CalendarObject, read?: ReadObject) => Xml

export function makeObjectResponder(scene: Scene, root: XmlElement, zone: Zone, isMinimal: boolean): ObjectResponder {
  const respond = makeResponder(scene, findAsked(root) ?? { how: 'named', names: [] }, isMinimal)
  const dataOf = makeDataOf(root, zone)
  return (object, read) => {
    const resource = objectResource(scene, object)
    try {
      return respond(resource, dataOf(object, read))
    } catch (error) {
      // Said of this object alone: the others are none the worse for it.
      if (error instanceof AppError) return response(resource.href, statusElement(403), errorElement(error.code))
      throw error
    }
  }
}

export const readObject = (object: CalendarObject, zone: Zone): ReadObject => ({ ...object.open(), zone })

function makeDataOf(root: XmlElement, zone: Zone): (object: CalendarObject, read?: ReadObject) => string | undefined {
  const prop = findChild(root, DAV, 'prop')
  const element = prop && findChild(prop, CALDAV, 'calendar-data')
  if (!element) return () => undefined
  const request = parseDataRequest(element)
  if (isWholeAsked(request)) return (object) => object.text
  return (object, read) => selectData(request, { ...(read ?? readObject(object, zone)), text: object.text })
}
