// Compares what the service shows of one event, in JSON and as a calendar object, with the model.
import type { Json } from '../../support/http/api-response.ts'
import { type DeletedModelEvent, type EventContent, fits, type ModelEvent } from './model.ts'
import { dateOf, keyOf, summarizeContent, summarizeObject } from './texts.ts'

/** An event as its readers get it from `GET /events/{id}`. */
export function isShownEvent(event: ModelEvent, shown: Json): boolean {
  return isListedEvent(event, shown) && exceptionsOf(event.content) === shownExceptions(shown)
}

/** The same in a list without a window, which has no exceptions. */
export function isListedEvent({ id, version, content }: ModelEvent, shown: Json): boolean {
  const { title, isPublic, day, count, repeats } = content
  return (
    fits(id, shown.id) &&
    shown.version === version &&
    shown.title === title &&
    shown.visibility === (isPublic ? 'public' : 'private') &&
    shown.start.startsWith(`${dateOf(day)}T09:00`) &&
    (shown.rrule ?? null) === (repeats ? `FREQ=WEEKLY;COUNT=${count}` : null)
  )
}

export function isTrashEntry({ id, version, content, deletion }: DeletedModelEvent, shown: Json): boolean {
  return (
    fits(id, shown.id) &&
    shown.version === version &&
    shown.title === content.title &&
    shown.visibility === (content.isPublic ? 'public' : 'private') &&
    shown.recurring === content.repeats &&
    shown.deleted_with === (deletion.device === undefined ? 'password' : 'app_password')
  )
}

/** What the public gets of it from `GET /public/events/{id}`. */
export function isMaskedEvent({ content }: ModelEvent, shown: Json): boolean {
  const { title, isPublic, day } = content
  const isSame = shown.title === (isPublic ? title : 'Private Event') && shown.start.startsWith(dateOf(day))
  const secrets = ['version', 'etag', 'uid', 'created_by', 'updated_at', 'exceptions']
  if (!isPublic) secrets.push('description', 'location', 'category', 'url', 'status')
  return isSame && secrets.every((name) => !(name in shown))
}

const exceptionsOf = ({ day, excluded, edited }: EventContent): string =>
  [
    ...excluded.map((n) => `${keyOf(day, n)} excluded`),
    ...Object.entries(edited).map(([n, title]) => `${keyOf(day, Number(n))} ${title}`),
  ]
    .sort()
    .join()

/** One without a title has that of the series. */
const shownExceptions = ({ exceptions, title: own }: Json): string =>
  exceptions
    .map(({ occurrence_key: key, type, title }: Json) => `${key} ${type === 'excluded' ? type : (title ?? own)}`)
    .sort()
    .join()

/** A calendar object as a device has it. */
export interface DeviceObject {
  name: string
  etag: string
  text: string
  /** The request that created it, as far as the model tells. */
  birth?: number | undefined
}

export const versionOfEtag = (etag: string): number => Number(/^"e-(\d+)-/.exec(etag)?.[1])

/** Bytes that are known must be the same; others must say the same. */
export function isObjectOf({ name, version, content }: ModelEvent, object: DeviceObject): boolean {
  if (!fits(name, object.name) || versionOfEtag(object.etag) !== version) return false
  const { value } = content.text
  return value === undefined ? summarizeObject(object.text) === summarizeContent(content) : value === object.text
}

export function learnObject({ name, birth, content }: ModelEvent, object: DeviceObject): void {
  name.value = object.name
  object.birth = birth
  content.text.value = object.text
}
