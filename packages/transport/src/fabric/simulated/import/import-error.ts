/** A file that cannot be read as what it should be: where, and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly code = 'FABRIC_FILE'
  readonly file: string
  /** Counted from 1; 0 when it is about the whole file. */
  readonly line: number
  readonly reason: string

  constructor(file: string, line: number, reason: string) {
    super(line === 0 ? `${file}: ${reason}` : `${file}:${line}: ${reason}`)
    this.file = file
    this.line = line
    this.reason = reason
  }
}

/** The beginning of a line, for a message. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
