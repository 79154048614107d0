// Parses the demo's tables: one row per line, cells separated by bars.

export type TableRow<Column extends string> = Record<Column, string>

export function readTable<Column extends string>(columns: readonly Column[], text: string): TableRow<Column>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    if (cells.length !== columns.length) throw new Error(`a row of the demo has ${cells.length} cells: ${line.trim()}`)
    return Object.fromEntries(columns.map((column, i) => [column, cells[i]])) as TableRow<Column>
  })
}
