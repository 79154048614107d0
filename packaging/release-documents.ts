// Removes links to files that a release does not contain from its Markdown documents, since they would be dead.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const TARGET = String.raw`\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)`
const LINK = new RegExp(String.raw`\[([^\]]+)\]${TARGET}`, 'g')
/** A reference that the sentence does not need, such as " ([D1](decisions.md#d1))". */
const REFERENCE = new RegExp(String.raw` \(\[[^\]]+\]${TARGET}\)`, 'g')
const PICTURE = /<picture>.*?<\/picture>\n*/gs

/** Rewrites every document in the folder of a release and in its `docs`. */
export function removeDeadLinks(folder: string): void {
  for (const path of [...listDocuments(folder, '.'), ...listDocuments(folder, 'docs')]) {
    const exists = (target: string): boolean =>
      statSync(join(folder, dirname(path), target), { throwIfNoEntry: false }) !== undefined
    writeFileSync(join(folder, path), withoutDeadLinks(readFileSync(join(folder, path), 'utf8'), exists))
  }
}

function listDocuments(folder: string, part: string): string[] {
  return readdirSync(join(folder, part))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(part, name))
}

/** A row of a table that leads only to such files goes; elsewhere the words of the link stay. */
export function withoutDeadLinks(document: string, exists: (target: string) => boolean): string {
  const isDeadRow = (line: string): boolean => {
    const targets = line.startsWith('| ') ? [...line.matchAll(LINK)].map(([, , target]) => target!) : []
    return targets.length > 0 && /\)(?: \|)?$/.test(line.trim()) && !targets.some(exists)
  }
  return document
    .replace(PICTURE, (picture) => {
      const sources = [...picture.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, source]) => source!)
      return sources.every(exists) ? picture : ''
    })
    .split('\n')
    .filter((line) => !isDeadRow(line))
    .map((line) =>
      line
        .replace(REFERENCE, (reference, target) => (exists(target) ? reference : ''))
        .replace(LINK, (link, words, target) => (exists(target) ? link : words)),
    )
    .join('\n')
}
