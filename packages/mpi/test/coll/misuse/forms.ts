import type { Communicator } from '@commworld/mpi'

/** The communicator, on which `ibcast` and the like are the blocking form, or set up the persistent one. */
export function inForm(world: Communicator, form: 'blocking' | 'persistent'): Communicator {
  return new Proxy(world, {
    get(target, name) {
      const plain = /^i([a-z]\w*)$/.exec(String(name))?.[1] ?? ''
      const other = form === 'blocking' ? plain : `${plain}Init`
      const found: unknown = Reflect.get(target, other in target ? other : name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}
