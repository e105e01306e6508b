import type * as FileSystemModule from 'node:fs'

type FileSystem = typeof FileSystemModule

/** A file that is written from one end to the other. */
export interface OutputFile {
  write(bytes: Uint8Array): void
  close(): void
}

/**
 * Node's files, asked for when a capture begins: this module is part of what browsers load.
 *
 * @throws Error where there are none
 */
export function fileSystem(): FileSystem {
  const files = globalThis.process?.getBuiltinModule?.('node:fs')
  if (files === undefined) throw new Error('a capture needs Node: there are no files here')
  return files
}

/** Creates a file, or empties it. */
export function openForWriting(name: string): OutputFile {
  const { closeSync, openSync, writeSync } = fileSystem()
  const file = openSync(name, 'w')
  let open = true
  return {
    write(bytes) {
      if (!open) return
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    },
    close() {
      if (open) closeSync(file)
      open = false
    },
  }
}

/** Nanoseconds of a clock that all threads of the machine share and that never goes back. */
export function hostTime(): bigint {
  return process.hrtime.bigint()
}
