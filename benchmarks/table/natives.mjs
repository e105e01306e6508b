/** The native MPIs of this machine: found, told apart, and the twins built with them. */
import { executables, run } from './commands.mjs'

/**
 * @typedef {object} NativeMpi
 * @property {string} title         with its version
 * @property {string} compiler
 * @property {string} launcher
 */

const AS_ROOT =
  process.getuid?.() === 0
    ? { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' }
    : {}

const FLAVOURS = {
  openmpi: {
    compilers: ['mpicc.openmpi', 'mpicc'],
    launchers: ['mpirun.openmpi', 'mpirun', 'orterun'],
    compilerVersion: { option: '--showme:version', pattern: /Open MPI ([\d.]+)/ },
    launcherVersion: /Open ?(?:MPI|RTE)\)? ([\d.]+)/,
    title: 'Open MPI',
  },
  mpich: {
    compilers: ['mpicc.mpich', 'mpicc'],
    launchers: ['mpirun.mpich', 'mpirun', 'mpiexec.hydra'],
    compilerVersion: { option: '-v', pattern: /MPICH version ([\d.]+)/ },
    launcherVersion: /HYDRA[^]*?Version:\s+([\d.]+)/,
    title: 'MPICH',
  },
}

/** The command that starts `ranks` processes; more than there are cores have to be asked for. */
export function launchCommand(flavour, launcher, { ranks, cores, command }) {
  const oversubscribe = flavour === 'openmpi' && ranks > cores ? ['--oversubscribe'] : []
  return { command: [launcher, ...oversubscribe, '-n', String(ranks), ...command], env: AS_ROOT }
}

/** @returns {Promise<NativeMpi | undefined>} */
export async function findMpi(flavour) {
  const { compilers, launchers, compilerVersion, launcherVersion, title } = FLAVOURS[flavour]
  const compiler = await firstThatSays(compilers, compilerVersion.option, compilerVersion.pattern)
  const launcher = await firstThatSays(launchers, '--version', launcherVersion)
  if (!compiler || !launcher) return undefined
  return {
    title: `${title} ${compiler.version}`,
    compiler: compiler.path,
    launcher: launcher.path,
  }
}

/** The first Python that has mpi4py, with the flavour of MPI below it. */
export async function findMpi4py() {
  const program =
    'import mpi4py; from mpi4py import MPI; print(mpi4py.__version__, MPI.Get_library_version())'
  for (const python of executables('python3')) {
    const { ok, stdout } = await run([python, '-c', program], { env: AS_ROOT, timeoutMs: 20_000 })
    if (!ok) continue
    const flavour = /Open MPI/.test(stdout) ? 'openmpi' : 'mpich'
    const launcher = await firstThatSays(
      FLAVOURS[flavour].launchers,
      '--version',
      FLAVOURS[flavour].launcherVersion,
    )
    if (!launcher) continue
    const title = `mpi4py ${stdout.split(' ')[0]} on ${FLAVOURS[flavour].title}`
    return { title, python, flavour, launcher: launcher.path }
  }
  return undefined
}

async function firstThatSays(names, option, pattern) {
  for (const path of names.flatMap(executables)) {
    const { stdout, stderr } = await run([path, option], { timeoutMs: 20_000 })
    const version = pattern.exec(stdout + stderr)?.[1]
    if (version) return { path, version }
  }
  return undefined
}

/** Compiles one C program; throws what the compiler says. */
export async function compile(compiler, source, output) {
  const { ok, stderr } = await run([compiler, '-O3', '-o', output, source])
  if (!ok) throw new Error(`${compiler} cannot build ${source}:\n${stderr}`)
}

/** What Open MPI takes for a single copy: its setting, and whether the kernel lets it. */
export async function openMpiSingleCopy(probe) {
  const query = ['--param', 'btl', 'vader', '--level', '3', '--parsable']
  const { stdout } = await run(['ompi_info', ...query])
  const setting = /single_copy_mechanism:value:(\w+)/.exec(stdout)?.[1]
  if (!setting) return 'single copy mechanism not told'
  const answer = (await run([probe])).stdout.trim() || 'not tried'
  return `vader, single copies by ${setting} (reading another process's memory: ${answer})`
}

/** What MPICH takes for a single copy: UCX names its lanes when asked; libfabric does not. */
export async function mpichSingleCopy(launcher, latencyProgram) {
  const { command } = launchCommand('mpich', launcher, {
    ranks: 2,
    cores: 2,
    command: [latencyProgram, '-m', '32768:32768', '-x', '1', '-i', '1'],
  })
  const { stdout, stderr } = await run(command, {
    env: { UCX_LOG_LEVEL: 'info' },
    timeoutMs: 20_000,
  })
  const lanes = [...(stdout + stderr).matchAll(/tag\(([^)]*)\)/g)].map((match) => match[1])
  const between = lanes.find((lane) => !lane.includes('self'))
  if (!between) return 'single copy mechanism not told'
  return `UCX, single copies by ${/\b(cma|xpmem|knem)\b/.exec(between)?.[1] ?? 'none'} (${between})`
}
