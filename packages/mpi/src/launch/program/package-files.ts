/**
 * The address of a file of this package, `launch/worker.js` say, below its `dist`. The build may put
 * the calling code into any file there, so what lies beside it is no guide.
 */
export function packageFile(path: string): URL {
  return new URL(path, import.meta.resolve('@commworld/mpi'))
}
