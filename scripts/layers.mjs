// The one direction of imports (ARCHITECTURE.md): a folder imports only folders above it in this
// list, a package only packages above it, and those only by their names. Type-only imports count.
//
// `node scripts/layers.mjs` judges the workspace; the test in tests/layers judges a bad one.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'

export const packages = {
  transport: ['choice', 'wire', 'memory', 'ring', 'fabric', 'hca', 'verbs', 'capture'],
  mpi: [
    ...['errors', 'datatype', 'op', 'record', 'device', 'comm', 'p2p', 'value', 'coll'],
    ...['simulate', 'manage', 'rma', 'diagnose', 'explore', 'engine', 'api', 'launch'],
  ],
  testing: [
    ...['choices', 'picture', 'worlds', 'arbitraries', 'oracles', 'conformance'],
    ...['algorithms', 'property'],
  ],
}

/**
 * Reads the packages below `root` and tells what breaks the rule, one line each.
 *
 * @param {string} root
 * @returns {Promise<{ moduleCount: number, violations: string[] }>}
 */
export async function judge(root) {
  const present = Object.keys(packages).filter((name) => existsSync(`${root}/packages/${name}`))
  const users = ['examples', 'benchmarks'].filter((name) => existsSync(`${root}/${name}`))
  const { output } = await cruise([...present.map((name) => `packages/${name}/src`), ...users], {
    baseDir: root,
    ruleSet: { forbidden: rules() },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  })
  const modules = output.modules.filter(({ source }) => /^packages\/[^/]+\/src\//.test(source))
  const violations = output.summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name) : [packageName(to)]
    return `${rule.name}: ${[from, ...path].join(' -> ')}`
  })
  return { moduleCount: modules.length, violations }
}

function rules() {
  const names = Object.keys(packages)
  const upwardFolders = names.flatMap((name) => {
    const source = `^packages/${name}/src`
    const folders = packages[name]
    return folders.map((folder, index) => ({
      name: `${name}/${folder} imports only from ${folders.slice(0, index).join(', ') || 'itself'}`,
      from: { path: `${source}/${folder}/` },
      to: {
        path: `${source}/`,
        pathNot: folders.slice(0, index + 1).map((below) => `${source}/${below}/`),
      },
    }))
  })
  const upwardPackages = names.map((name, index) => ({
    name: `${name} imports no package to its right`,
    from: { path: `^packages/${name}/` },
    to: { path: names.slice(index + 1).map((right) => `(^|/)(packages|@commworld)/${right}(/|$)`) },
  }))
  return [
    ...upwardFolders,
    ...upwardPackages.slice(0, -1),
    {
      name: 'a package is imported by its name',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: ['^packages/[^/]+/src/', '^(examples|benchmarks|tests|scripts)/'],
        pathNot: '^packages/$1/',
      },
    },
    {
      name: 'examples and benchmarks use what everybody can use',
      from: { path: '^(examples|benchmarks)/' },
      to: { path: ['^packages/[^/]+/src/', '^tests/'] },
    },
    {
      name: 'every folder has its place in the list of layers',
      from: { path: '^packages/[^/]+/src/[^/]+/', pathNot: names.map(known) },
      to: {},
    },
    {
      // A type may name a class and the class its type: that cycle is gone before the code runs.
      name: 'no cycles',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every import can be resolved',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@commworld/' },
    },
  ]
}

/** A package that is imported by its name is found built, where there is a build. */
function packageName(path) {
  return path.replace(/^.*packages\/([^/]+)\/dist\/.*/, '@commworld/$1')
}

function known(name) {
  return `^packages/${name}/src/(${packages[name].join('|') || '[^/]+'})/`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { moduleCount, violations } = await judge(process.cwd())
  for (const violation of violations) console.error(violation)
  console.log(`layers: ${moduleCount} modules, ${violations.length} imports in the wrong direction`)
  // A tool that reads nothing finds nothing.
  if (violations.length > 0 || moduleCount === 0) process.exitCode = 1
}
