// The part of the WebAssembly API that the project uses. TypeScript has it only in its DOM library,
// whose globals (name, status, self) would hide mistakes in programs for Node.
declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number
    maximum?: number
    shared?: boolean
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor)
    readonly buffer: ArrayBuffer | SharedArrayBuffer
    grow(pages: number): number
  }

  type ExternalKind = 'function' | 'global' | 'memory' | 'table' | 'tag'

  interface ModuleExportDescriptor {
    name: string
    kind: ExternalKind
  }

  interface ModuleImportDescriptor extends ModuleExportDescriptor {
    module: string
  }

  class Module {
    constructor(bytes: ArrayBufferView | ArrayBufferLike)
    static exports(module: Module): ModuleExportDescriptor[]
    static imports(module: Module): ModuleImportDescriptor[]
    static customSections(module: Module, name: string): ArrayBuffer[]
  }

  type Imports = Record<string, Record<string, unknown>>

  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Record<string, unknown>
  }

  class RuntimeError extends Error {}

  function validate(bytes: ArrayBufferView | ArrayBufferLike): boolean
}
