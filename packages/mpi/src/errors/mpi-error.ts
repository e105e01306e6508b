import type { ErrorClass } from './error-class.js'

/**
 * The root of all errors this library throws on purpose.
 *
 * Catch by class when you want one kind (`error instanceof TruncateError`), or look at `code`, which
 * is the standard's name of the error class. The facts an error's message is made of are fields of
 * it, so nothing needs to be read out of a text. Errors thrown in a rank arrive at `launch()` and
 * `local()` as objects of the same class.
 *
 * @example
 * try {
 *   world.send(1, { dest: world.size })
 * } catch (error) {
 *   if (error instanceof MpiError) console.log(error.code) // MPI_ERR_RANK
 * }
 *
 * MPI 4.1, chapter 9.
 */
export abstract class MpiError extends Error {
  /** The standard's name of the error class: a key of `errorClasses`. */
  abstract readonly code: ErrorClass
}

/** The name goes on the prototype, where the stack's first line takes it from. */
export function nameClass(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', {
    value: name,
    writable: true,
    configurable: true,
  })
}
